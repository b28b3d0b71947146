// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The pages of the documentation: the README, all of docs, and what examples say of themselves. */
final class Pages {
  private Pages() {}

  /**
   * Whether a page is made of what {@code --help} says. Its examples speak of objects, files and
   * programs that are nobody's, so they are read and not run.
   */
  static boolean isManual(Path page) {
    return page.toString().contains("docs/cli/");
  }

  static List<Path> all(Path root) throws IOException {
    List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
    for (String directory : List.of("docs", "examples")) {
      try (Stream<Path> files = Files.walk(root.resolve(directory))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .filter(file -> !file.toString().contains("/target/"))
            .sorted()
            .forEach(pages::add);
      }
    }
    return pages;
  }
}
