// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the console's files must not do, whoever writes them: make text into markup or code, ask
 * others than our own server, or grow without end.
 */
class ConsoleSourcesTest {
  private static final Path ROOT = Path.of("src/main/resources/dev/holdfast/server/console");
  private static final int LONGEST = 400;

  /** Every way from a string to markup or code. */
  private static final Pattern DANGEROUS =
      Pattern.compile(
          "innerHTML|outerHTML|insertAdjacentHTML|setHTML|createContextualFragment|DOMParser"
              + "|document\\.write|\\beval\\b|new Function|srcdoc|javascript:|import\\("
              + "|setTimeout\\(\\s*[\"'`]|setInterval\\(\\s*[\"'`]|\\.style\\b|style=");

  private static final Pattern ELSEWHERE =
      Pattern.compile("(?:https?:)?//(?!www\\.w3\\.org/2000/svg)[a-z0-9-]+\\.[a-z]");

  private static final Pattern REFERENCE =
      Pattern.compile("(?:from |src=|href=)\"(\\.{0,2}/?[a-z/.-]+\\.(?:js|css|svg))\"");

  private final Map<String, String> texts = read();

  @Test
  void noFileMakesTextIntoMarkupOrCode() {
    assertThat(found(DANGEROUS)).isEmpty();
    assertThat(DANGEROUS.matcher("main.innerHTML = text").find()).isTrue();
  }

  @Test
  void noFileAsksAnybodyElse() {
    assertThat(found(ELSEWHERE)).isEmpty();
    assertThat(ELSEWHERE.matcher("import \"https://cdn.example/x.js\"").find()).isTrue();
  }

  @Test
  void everyFileIsSmallAndSaysItsLicence() {
    texts.forEach(
        (name, text) -> {
          assertThat(text).as(name).contains("SPDX-License-Identifier: Apache-2.0");
          assertThat(text.lines().count()).as(name).isLessThanOrEqualTo(LONGEST);
        });
  }

  @Test
  void everyFileCanBeHadAndIsUsed() {
    Set<String> used = new TreeSet<>(Set.of("index.html"));
    Deque<String> next = new ArrayDeque<>(used);
    while (!next.isEmpty()) {
      String name = next.remove();
      for (String reference : references(name)) {
        assertThat(new ConsoleFiles().find(reference)).as(name + ": " + reference).isPresent();
        if (used.add(reference)) {
          next.add(reference);
        }
      }
    }
    assertThat(used).isEqualTo(texts.keySet());
  }

  private List<String> references(String name) {
    Path root = Path.of("/");
    return REFERENCE
        .matcher(texts.getOrDefault(name, ""))
        .results()
        .map(
            match -> root.relativize(root.resolve(name).resolveSibling(match.group(1)).normalize()))
        .map(Path::toString)
        .toList();
  }

  private List<String> found(Pattern pattern) {
    List<String> all = new ArrayList<>();
    texts.forEach(
        (name, text) ->
            pattern
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .forEach(match -> all.add(name + ": " + match)));
    return all;
  }

  private static Map<String, String> read() {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        texts.put(ROOT.relativize(file).toString(), Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }
}
