// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tour of the code is short, and its files exist and are short. */
class TourTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path TOUR = ROOT.resolve("docs/tour.md");
  private static final int MOST_FILES = 12;
  private static final int MOST_LINES = 300;
  private static final int MOST_CLASSES = 6;
  private static final Pattern JAVA = Pattern.compile("\\[(\\w+)]\\((\\.\\./[^)]+/(\\w+)\\.java)\\)");

  private static Map<String, List<String>> chapters() throws IOException {
    Map<String, List<String>> chapters = new TreeMap<>();
    String title = "";
    for (String line : Files.readAllLines(TOUR)) {
      if (line.startsWith("## ")) {
        title = line.substring(3);
      }
      chapters.computeIfAbsent(title, unused -> new ArrayList<>()).add(line);
    }
    return chapters;
  }

  private static Set<Path> files(List<String> lines) {
    Set<Path> files = new TreeSet<>();
    Matcher link = JAVA.matcher(String.join("\n", lines));
    while (link.find()) {
      assertThat(link.group(1)).as("text of a link").isEqualTo(link.group(3));
      files.add(ROOT.resolve("docs").resolve(link.group(2)).normalize());
    }
    return files;
  }

  @Test
  void itHasFewFilesAndEachIsShort() throws IOException {
    Set<Path> files = files(chapters().get(""));
    assertThat(files).hasSizeBetween(6, MOST_FILES);
    for (Path file : files) {
      assertThat(file).exists();
      assertThat(Files.readAllLines(file).size()).as(file.toString()).isLessThan(MOST_LINES);
    }
  }

  @Test
  void eachQuestionNeedsFewClassesThatExist() throws IOException {
    Map<String, List<String>> chapters = chapters();
    assertThat(chapters.keySet())
        .contains("A NACK came: what happens?", "Is this ACK enough to commit?");
    chapters.remove("");
    chapters.forEach(
        (title, lines) ->
            assertThat(files(lines))
                .as(title)
                .hasSizeBetween(1, MOST_CLASSES)
                .allMatch(Files::exists));
  }

  @Test
  void theArchitectureLeadsThere() throws IOException {
    assertThat(Files.readString(ROOT.resolve("ARCHITECTURE.md"))).contains("(docs/tour.md)");
  }
}
