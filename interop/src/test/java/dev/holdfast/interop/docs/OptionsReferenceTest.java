// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.TestSources;
import dev.holdfast.server.options.OptionsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tables of options, in docs/serve.md and docs/kubernetes.md, have the keys that the file takes
 * and the options that the command takes, and no others.
 */
class OptionsReferenceTest {
  private static final Path DOCS = TestSources.repositoryRoot().resolve("docs");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern FLAG = Pattern.compile("--[a-z][a-z-]+");

  /** Fields of an option, which are written as in an HTTPProxy. */
  private static final String FIELDS = "traffic.authorization.";

  @Test
  void everyKeyOfTheFileIsInATableAndEveryKeyThereIsOne() throws Exception {
    SortedSet<String> written = new TreeSet<>();
    for (String[] row : rows()) {
      String last = "";
      Matcher code = CODE.matcher(row[2]);
      while (code.find()) {
        String key = code.group(1).replaceFirst(":.*", "");
        if (key.startsWith(".")) {
          key = last.substring(0, last.lastIndexOf('.')) + key;
        }
        if (key.startsWith(FIELDS)) {
          key = FIELDS.substring(0, FIELDS.length() - 1);
        }
        last = key;
        if (!key.equals("authors.extensions.code")) { // a part of authors
          written.add(key);
        }
      }
    }

    assertThat(written).isEqualTo(new TreeSet<>(OptionsFile.keys()));
  }

  @Test
  void everyOptionOfTheCommandIsInATableAndEveryOptionThereIsOne() throws Exception {
    SortedSet<String> written = new TreeSet<>();
    for (String[] row : rows()) {
      Matcher flag = FLAG.matcher(row[1]);
      while (flag.find()) {
        written.add(flag.group());
      }
    }
    SortedSet<String> taken = new TreeSet<>();
    Matcher flag =
        Pattern.compile("(?m)^\\| `(?:-\\w, )?(--[a-z][a-z-]+)")
            .matcher(Files.readString(DOCS.resolve("cli/holdfast-serve.md")));
    while (flag.find()) {
      taken.add(flag.group(1));
    }
    taken.removeAll(List.of("--config", "--help", "--verbose", "--version"));

    assertThat(written).isEqualTo(taken).isNotEmpty();
  }

  private static List<String[]> rows() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String page : List.of("serve.md", "kubernetes.md")) {
      boolean table = false;
      for (String line : Files.readAllLines(DOCS.resolve(page))) {
        if (line.startsWith("| option | key in the file |")) {
          table = true;
        } else if (!line.startsWith("|")) {
          table = false;
        } else if (table && !line.startsWith("|---")) {
          lines.add(line);
        }
      }
    }
    return lines.stream().map(line -> line.split("\\|", -1)).toList();
  }
}
