// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import java.io.IOException;
import java.net.BindException;
import java.net.UnknownHostException;

/** Why a port cannot be listened on, for people. */
public final class PortErrors {
  private PortErrors() {}

  /**
   * What to tell the user.
   *
   * @param what the port is for
   * @param flag the option that sets it
   */
  public static StartException cannotListen(
      String what, String flag, ListenAddress address, IOException e) {
    return new StartException(
        what + ": cannot listen on " + address + ": " + reason(e) + " (" + flag + " sets another)",
        e);
  }

  private static String reason(IOException e) {
    if (e instanceof UnknownHostException) {
      return "there is no such host";
    }
    // gRPC wraps the system's own words.
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains("in use")) {
        return "the port is in use";
      }
      if (message.contains("ermission denied")) {
        return "permission denied";
      }
      if (message.contains("annot assign requested address")) {
        return "this machine has no such address";
      }
      if (cause instanceof BindException) {
        return message;
      }
    }
    return String.valueOf(e.getMessage());
  }
}
