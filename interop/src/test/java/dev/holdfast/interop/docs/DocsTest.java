// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.interop.TestSources;
import dev.holdfast.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation points to what exists and shows commands that the program understands. */
class DocsTest {
  private static final String COMMAND = "./holdfast";
  private static final String NO_OPTION = "--no-such-option";
  private static final Path ROOT = TestSources.repositoryRoot();

  private final Map<Path, Markdown> documents = read();
  private final Markdown readme = requireNonNull(documents.get(ROOT.resolve("README.md")));

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
    Set<Path> reached = new TreeSet<>();
    Deque<Path> open = new ArrayDeque<>(List.of(ROOT.resolve("README.md")));
    while (!open.isEmpty()) {
      Path page = open.pop();
      Markdown document = documents.get(page);
      if (document != null && reached.add(page)) {
        document.links().stream()
            .filter(link -> !link.matches("[a-z]+:.*"))
            .map(link -> target(page, link.split("#", 2)[0]))
            .forEach(open::add);
      }
    }

    Set<Path> lost = new TreeSet<>(documents.keySet());
    lost.removeAll(reached);
    assertThat(lost).as("pages that no link leads to").isEmpty();
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
    assertThat(readme.calls(COMMAND)).isNotEmpty();
  }

  @Test
  void everyExampleOfTheManualIsUnderstood() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path page : Pages.all(ROOT)) {
      if (Pages.isManual(page)) {
        for (Block block : Block.of(Files.readString(page))) {
          for (String line : block.lines()) {
            if (line.startsWith("holdfast ")) {
              wrong.add(complaint(Markdown.words(line)));
            }
          }
        }
      }
    }
    wrong.removeIf(String::isEmpty);
    assertThat(wrong).as("examples that would not run").isEmpty();
  }

  @Test
  void aCommandThatDoesNotExistWouldBeNoticed() {
    assertThat(complaint(List.of(COMMAND, "xds", "fly"))).contains("'fly'");
    assertThat(complaint(List.of(COMMAND, "xds", "watch", "--fly"))).contains("'--fly'");
    assertThat(complaint(List.of(COMMAND, "xds", "watch", "--server", "a"))).contains("HOST:PORT");
    assertThat(complaint(List.of(COMMAND, "xds", "status"))).contains("HOST:PORT");
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
    Path target = target(from, parts[0]);
    Markdown document = documents.get(target);
    return (parts.length == 1 || document == null)
        ? Files.exists(target)
        : document.anchors().contains(parts[1]);
  }

  /** What a link leads to: a page, or what stands for a directory. */
  private static Path target(Path from, String link) {
    Path target = link.isEmpty() ? from : from.resolveSibling(link).normalize();
    Path inside = target.resolve("README.md");
    return Files.exists(inside) ? inside : target;
  }

  /**
   * What the program has against a call; empty if nothing. An option that does not exist is added,
   * so that the call is parsed but never runs: it must be the only thing that is wrong.
   */
  private static String complaint(List<String> call) {
    List<String> args = new ArrayList<>(call.subList(1, call.size()));
    args.add(NO_OPTION);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Main.run(
        new Shell(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(new ByteArrayOutputStream(), false, UTF_8),
            new PrintStream(err, false, UTF_8),
            Map.of(),
            new ManualTime(),
            Shell.Terminal.none()),
        args.toArray(String[]::new));
    String said = err.toString(UTF_8).strip();
    return said.startsWith("holdfast: Unknown option: '" + NO_OPTION + "' (see")
        ? ""
        : String.join(" ", call) + ": " + said;
  }

  private static Map<Path, Markdown> read() {
    Map<Path, Markdown> documents = new TreeMap<>();
    try {
      List<Path> pages = new ArrayList<>(Pages.all(ROOT));
      for (String directory : List.of("", "benchmarks")) {
        try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
          files.filter(path -> path.toString().endsWith(".md")).forEach(pages::add);
        }
      }
      for (Path page : pages) {
        documents.put(page.normalize(), Markdown.parse(Files.readString(page)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return documents;
  }
}
