// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.TestSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of log lines in docs/operations.md has those that the code writes, and no others. */
class LogEventsTest {
  private static final Path ROOT = TestSources.repositoryRoot();
  private static final Pattern WRITTEN =
      Pattern.compile("LogArea\\s*\\.([A-Z]+)\\s*\\.(debug|info|warn|error)\\(\\s*\"([a-z-]+)\"");
  private static final Pattern ROW =
      Pattern.compile("^\\| (?:`(\\w+)`)? ?\\| (`[^|]*`) \\| ([a-z, ]+) \\|", Pattern.MULTILINE);

  @Test
  void everyEventIsDocumentedWithItsLevel() throws Exception {
    assertThat(documented()).isNotEmpty().isEqualTo(written());
  }

  private static SortedSet<String> written() throws IOException {
    SortedSet<String> events = new TreeSet<>();
    for (String module : List.of("control-plane", "server", "cli")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(
                file -> {
                  Matcher line = WRITTEN.matcher(text(file));
                  while (line.find()) {
                    String area = line.group(1).toLowerCase(Locale.ROOT);
                    events.add(area + " " + line.group(3) + " " + line.group(2));
                  }
                });
      }
    }
    return events;
  }

  private static SortedSet<String> documented() {
    String page = text(ROOT.resolve("docs/operations.md"));
    String table = page.substring(page.indexOf("| area | event | level |"));
    SortedSet<String> events = new TreeSet<>();
    String area = "";
    Matcher row = ROW.matcher(table);
    while (row.find()) {
      area = row.group(1) == null ? area : row.group(1);
      String[] names = row.group(2).replace("`", "").split(", ", -1);
      String[] levels = row.group(3).split(", ", -1);
      for (int i = 0; i < names.length; i++) {
        events.add(area + " " + names[i] + " " + levels[Math.min(i, levels.length - 1)]);
      }
    }
    return events;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
