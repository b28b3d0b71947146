// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.client.Contender;
import dev.holdfast.benchmarks.client.Measured;
import dev.holdfast.benchmarks.client.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the first ingest of a JVM's life, when nothing is loaded or compiled yet: what a process
 * really goes through when it starts.
 */
final class FreshJvm {
  private FreshJvm() {}

  /** Starts a JVM that does one ingest; returns what that took. */
  static Measured measure(Contender contender, int clusters, Response response) {
    try {
      Path file = Files.createTempFile("holdfast-benchmark", ".response");
      try {
        Files.write(file, response.serialized());
        return run(contender, clusters, response.nonce(), file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Measured run(Contender contender, int clusters, String nonce, Path file)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-X"))
        .forEach(command::add);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(FreshJvm.class.getName());
    command.addAll(List.of(contender.name(), Integer.toString(clusters), nonce, file.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException(
            "the JVM for " + contender.text() + " ended with " + process.exitValue());
      }
    } catch (InterruptedException e) {
      process.destroy();
      throw new IllegalStateException("interrupted", e);
    }
    String[] numbers = output.trim().split(" ", -1);
    return new Measured(
        Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
  }

  /** The child: must touch no protobuf class before the clock runs, hence the file. */
  public static void main(String... arguments) throws IOException {
    Contender contender = Contender.valueOf(arguments[0]);
    List<String> names = Fleet.names(Integer.parseInt(arguments[1]));
    Response response = new Response(arguments[2], Files.readAllBytes(Path.of(arguments[3])));
    Measured measured = ColdIngest.ingest(contender, names, response);
    System.out.println(
        measured.nanos() + " " + measured.cpuNanos() + " " + measured.allocatedBytes());
  }
}
