// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the launcher runs once after a build, so that the JVM can keep the classes that commands
 * need in the form that loads fastest. The commands fail, since nobody is there to answer them;
 * that takes all the classes it needs.
 */
final class JvmTrainingRun {
  private static final String NOBODY = "http://127.0.0.1:1";

  /** What asks a server. */
  private static final List<List<String>> ASKING =
      List.of(
          List.of("get", "objects"),
          List.of("describe", "HTTPProxy/a/b"),
          List.of("explain", "Cluster/a#b[0]"),
          List.of("diff", "HTTPProxy/a/b"),
          List.of("history"),
          List.of("wait", "HTTPProxy/a/b"),
          List.of("retry", "HTTPProxy/a/b"));

  private static final String OBJECT =
      """
      apiVersion: projectcontour.io/v1
      kind: HTTPProxy
      metadata: {name: a}
      spec: {virtualhost: {fqdn: a.example.com}, routes: [{services: [{name: a, port: 80}]}]}
      """;

  private JvmTrainingRun() {}

  public static void main(String[] args) throws IOException {
    Shell shell = Shell.ofProcess();
    Main.run(shell, "xds", "status", "localhost:1", "--timeout", "1");
    for (List<String> command : ASKING) {
      String[] words = new String[command.size() + 2];
      command.toArray(words);
      words[command.size()] = "--server";
      words[command.size() + 1] = NOBODY;
      Main.run(shell, words);
    }
    apply(shell);
  }

  private static void apply(Shell shell) throws IOException {
    Path directory = Files.createTempDirectory("holdfast-rehearsal");
    Path file = directory.resolve("a.yaml");
    try {
      Files.writeString(file, OBJECT);
      String to = directory.toString();
      Main.run(shell, "apply", file.toString(), "--to", to, "--skip-references", "-o", "json");
      Main.run(shell, "apply", file.toString(), "--to", to, "--dry-run");
    } finally {
      Files.deleteIfExists(file);
      Files.delete(directory);
    }
  }
}
