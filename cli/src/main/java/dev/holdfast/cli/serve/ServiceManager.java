// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.serve;

import dev.holdfast.cli.output.SafeText;
import dev.holdfast.controlplane.log.LogArea;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The systemd that started this process and waits to be told that it is ready, if there is one. The
 * JDK has no datagram sockets of the local kind, so systemd's own program tells it. A server that
 * cannot tell serves all the same.
 */
final class ServiceManager {
  /** The socket where systemd listens; set only in services that have {@code Type=notify}. */
  private static final String SOCKET = "NOTIFY_SOCKET";

  private static final long LONGEST_SECONDS = 10;

  private final Map<String, String> environment;
  private final String program;

  ServiceManager(Map<String, String> environment) {
    this(environment, "systemd-notify");
  }

  ServiceManager(Map<String, String> environment, String program) {
    this.environment = environment;
    this.program = program;
  }

  void ready(String status) {
    tell("--ready", status);
  }

  void stopping() {
    tell("STOPPING=1", "stopping"); // systemd-notify has no option for it before version 253
  }

  private void tell(String what, String status) {
    if (environment.getOrDefault(SOCKET, "").isEmpty()) {
      return;
    }
    try {
      Process process =
          new ProcessBuilder(List.of(program, what, "--status=" + SafeText.text(status)))
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        warn("it did not end within " + LONGEST_SECONDS + " s");
      } else if (process.exitValue() != 0) {
        warn("exit code " + process.exitValue());
      }
    } catch (IOException e) {
      warn(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void warn(String reason) {
    LogArea.SERVER
        .warn("manager-not-told")
        .log(
            program
                + " failed, so systemd does not know the state of this server: "
                + reason
                + " (expected: systemd-notify on the PATH, and NotifyAccess=all in the unit)");
  }
}
