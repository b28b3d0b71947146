// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The first table in the Javadoc of a class: lines with cells between bars, the first of which is
 * the header.
 *
 * @param columns without the first, which has the names of the rows
 * @param rows cells by name of the row, in the order of the columns
 */
record DocTable(List<String> columns, Map<String, List<String>> rows) {
  static DocTable of(Class<?> documented) throws IOException {
    Path source =
        Path.of("src/main/java", documented.getName().replace('.', '/') + ".java").toAbsolutePath();
    List<List<String>> lines = new ArrayList<>();
    for (String line : Files.readAllLines(source)) {
      if (line.startsWith(" *") && line.contains("|")) {
        lines.add(Arrays.stream(line.substring(2).split("\\|", -1)).map(String::strip).toList());
      }
    }
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (List<String> line : lines.subList(1, lines.size())) {
      if (rows.put(line.get(0), line.subList(1, line.size())) != null) {
        throw new AssertionError("two rows " + line.get(0));
      }
    }
    return new DocTable(lines.get(0).subList(1, lines.get(0).size()), rows);
  }
}
