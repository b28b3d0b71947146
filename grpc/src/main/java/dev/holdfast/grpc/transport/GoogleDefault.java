// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import io.grpc.ChannelCredentials;

/** Google's default credentials, if {@code io.grpc:grpc-alts} is there; we do not depend on it. */
final class GoogleDefault {
  private static final String CLASS = "io.grpc.alts.GoogleDefaultChannelCredentials";

  private GoogleDefault() {}

  static boolean isAvailable() {
    try {
      Class.forName(CLASS, /* initialize= */ false, GoogleDefault.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Found once per process; the first call may block. */
  static ChannelCredentials credentials() {
    return Holder.CREDENTIALS;
  }

  private static final class Holder {
    static final ChannelCredentials CREDENTIALS = create();

    private static ChannelCredentials create() {
      try {
        return (ChannelCredentials) Class.forName(CLASS).getMethod("create").invoke(null);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(
            "credentials: google_default (expected: io.grpc:grpc-alts on the class path)", e);
      }
    }
  }
}
