// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.check;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.Main;
import dev.holdfast.interop.LineProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A {@code holdfast check} in a process of its own, with a directory for temporary files. */
final class CheckProcess implements AutoCloseable {
  private final Path temporary;
  private final LineProcess process;

  private CheckProcess(Path temporary, LineProcess process) {
    this.temporary = temporary;
    this.process = process;
  }

  static CheckProcess start(Path work, List<Path> envoys, Object... arguments) throws IOException {
    Path temporary = Files.createDirectories(work.resolve("tmp"));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "check",
                "-o",
                "json"));
    for (Path envoy : envoys) {
      command.addAll(List.of("--envoy", envoy.toString()));
    }
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new CheckProcess(temporary, new LineProcess(work, command));
  }

  LineProcess process() {
    return process;
  }

  int exitCode() throws InterruptedException {
    return process.exitCode();
  }

  JsonObject result() throws InterruptedException {
    process.await("the end of the result", line -> line.equals("}"));
    return JsonParser.parseString(String.join("\n", process.allLines())).getAsJsonObject();
  }

  /** What is said of objects, such as {@code Refused by envoy 1.36.4}. */
  static SortedMap<String, String> findings(JsonObject result, String severity) {
    SortedMap<String, String> findings = new TreeMap<>();
    for (JsonElement each : result.getAsJsonArray("findings")) {
      JsonObject finding = each.getAsJsonObject();
      if (finding.get("severity").getAsString().equals(severity)) {
        List<String> proxies = new ArrayList<>();
        finding.getAsJsonArray("proxies").forEach(proxy -> proxies.add(proxy.getAsString()));
        String text =
            finding.get("reason").getAsString()
                + (proxies.isEmpty() ? "" : " by " + String.join(", ", proxies));
        findings.merge(finding.get("name").getAsString(), text, (one, other) -> one + "; " + other);
      }
    }
    return findings;
  }

  /** The files that it has, or has left. */
  List<Path> files() {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(file -> String.valueOf(file.getFileName()).startsWith("holdfast-envoy"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The processes that work in its files, the watchers among them. */
  List<Long> children() {
    return ProcessHandle.allProcesses()
        .filter(
            each ->
                each.info().commandLine().orElse("").contains(temporary.toString())
                    && each.pid() != process.pid())
        .map(ProcessHandle::pid)
        .toList();
  }

  @Override
  public void close() {
    process.close();
  }
}
