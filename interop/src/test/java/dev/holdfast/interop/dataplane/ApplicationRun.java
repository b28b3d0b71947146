// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A run of an application that ended.
 *
 * @param output what it printed
 * @param errors what it, or a library in it, logged
 */
record ApplicationRun(List<String> output, List<String> errors) {
  /** Starts one, in a process of its own that has no gRPC setting but these, and waits. */
  static ApplicationRun start(
      Path java, String classPath, String main, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("application", ".out");
    Path err = Files.createTempFile("application", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(
                java.toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                main,
                "xds:///svc")
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GRPC_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(main + " does not end: " + Files.readString(err));
    }
    ApplicationRun run = new ApplicationRun(Files.readAllLines(out), Files.readAllLines(err));
    Files.delete(out);
    Files.delete(err);
    return run;
  }

  /** Without what others log: gRPC 1.81 and 1.82 with any target, Netty without a network. */
  List<String> errorsOfHoldfast() {
    return errors.stream()
        .filter(
            line ->
                Stream.of("TcpMetrics", "MacAddressUtil", "usable hardware address")
                    .noneMatch(line::contains))
        .toList();
  }
}
