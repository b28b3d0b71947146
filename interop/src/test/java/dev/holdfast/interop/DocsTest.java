// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation points to what exists and shows commands that the program understands. */
class DocsTest {
  private static final String COMMAND = "./holdfast";
  private static final Path ROOT = TestSources.repositoryRoot();

  private final Map<Path, Markdown> documents = read();

  @Test
  void everyRelativeLinkPointsToSomething() {
    List<String> broken = new ArrayList<>();
    documents.forEach(
        (file, document) ->
            document.links().stream()
                .filter(link -> !link.matches("[a-z]+:.*"))
                .filter(link -> !exists(file, link))
                .forEach(link -> broken.add(ROOT.relativize(file) + ": " + link)));
    assertThat(broken).as("links that lead nowhere").isEmpty();
  }

  @Test
  void everyPageOfTheDocumentationCanBeReachedFromTheReadme() {
    assertThat(documents.get(ROOT.resolve("README.md")).links())
        .containsAll(
            documents.keySet().stream()
                .filter(file -> file.getParent().equals(ROOT.resolve("docs")))
                .map(file -> ROOT.relativize(file).toString())
                .toList());
  }

  @Test
  void everyCommandThatIsShownIsUnderstood() {
    List<String> wrong = new ArrayList<>();
    documents.forEach(
        (file, document) ->
            document
                .calls(COMMAND)
                .forEach(
                    call -> {
                      String error = complaint(call);
                      if (!error.isEmpty()) {
                        wrong.add(ROOT.relativize(file) + ": " + error);
                      }
                    }));
    assertThat(wrong).as("commands that would not run").isEmpty();
    assertThat(documents.get(ROOT.resolve("README.md")).calls(COMMAND)).isNotEmpty();
  }

  @Test
  void aCommandThatDoesNotExistWouldBeNoticed() {
    assertThat(complaint(List.of(COMMAND, "xds", "fly"))).contains("'fly'");
    assertThat(complaint(List.of(COMMAND, "xds", "watch", "--fly"))).contains("'--fly'");
    assertThat(complaint(List.of(COMMAND, "xds", "watch", "--server", "a:1", "cluster/c")))
        .isEmpty();
  }

  @Test
  void theScanFindsLinksAnchorsAndCalls() {
    Markdown document =
        Markdown.parse(
            """
            # On `this`, and that
            See [a](docs/a.md), `[no](link.md)` and <img src="b.svg">.
            ```sh
            [no](link.md)
            $ ./holdfast xds status \\
                'a:1' -o json | jq .
            ./holdfasten
            ```
            """);

    assertThat(document.links()).containsExactly("docs/a.md", "b.svg");
    assertThat(document.anchors()).containsExactly("on-this-and-that");
    assertThat(document.calls(COMMAND))
        .containsExactly(List.of(COMMAND, "xds", "status", "a:1", "-o", "json"));
  }

  private boolean exists(Path from, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
    if (parts.length == 1 || !documents.containsKey(target)) {
      return Files.exists(target);
    }
    return documents.get(target).anchors().contains(parts[1]);
  }

  /** What the program says of a call when it only parses it; empty if it has nothing to say. */
  private static String complaint(List<String> call) {
    List<String> args = new ArrayList<>(call.subList(1, call.size()));
    if (!args.contains("--help")) {
      args.add("--help"); // parses everything, runs nothing
    }
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            new Shell(
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(new ByteArrayOutputStream(), false, UTF_8),
                new PrintStream(err, false, UTF_8),
                Map.of(),
                new ManualTime(),
                Shell.Terminal.none()),
            args.toArray(String[]::new));
    return exitCode == 0 ? "" : String.join(" ", call) + ": " + err.toString(UTF_8).strip();
  }

  private static Map<Path, Markdown> read() {
    Map<Path, Markdown> documents = new TreeMap<>();
    for (String directory : List.of("", "docs", "benchmarks")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".md")).toList()) {
          documents.put(file.normalize(), Markdown.parse(Files.readString(file)));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return documents;
  }
}
