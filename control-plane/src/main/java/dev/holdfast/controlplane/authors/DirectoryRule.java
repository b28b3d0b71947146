// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.NamePattern;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which namespaces the files of a directory, and of those below it, may have.
 *
 * @param directory a path in the served tree, where {@code *} stands for any characters of one
 *     name; {@code .} is the tree itself
 * @param namespaces {@code {1}} is what the first {@code *} of the directory stands for
 */
public record DirectoryRule(NamePattern directory, List<NamePattern> namespaces) {
  /** The whole tree. */
  public static final String ROOT = ".";

  public DirectoryRule {
    requireNonNull(directory, "directory");
    namespaces = List.copyOf(namespaces);
  }

  /**
   * Why a file may not have objects of a namespace, and what may be done; null if it may. The first
   * rule for the directory of the file counts.
   *
   * @param file its path in the served tree
   */
  public static @Nullable String problem(List<DirectoryRule> rules, Path file, String namespace) {
    if (rules.isEmpty()) {
      return null;
    }
    for (DirectoryRule rule : rules) {
      List<String> stars = rule.match(file);
      if (stars != null) {
        return rule.namespaces.stream().anyMatch(each -> each.matches(namespace, stars))
            ? null
            : "namespace "
                + namespace
                + ", which the server does not allow in this directory (expected: "
                + rule.expected(stars)
                + ")";
      }
    }
    return "in a directory for which the server allows no namespace (expected: one of "
        + rules.stream().map(rule -> rule.directory.text()).collect(Collectors.joining(", "))
        + ")";
  }

  /** What the stars stand for; null if the file is in another directory. */
  private @Nullable List<String> match(Path file) {
    if (directory.text().equals(ROOT)) {
      return List.of();
    }
    int depth = Path.of(directory.text()).getNameCount();
    return file.getNameCount() <= depth
        ? null
        : directory.match(slashed(file.subpath(0, depth))).orElse(null);
  }

  private static String slashed(Path path) {
    StringBuilder text = new StringBuilder();
    path.forEach(name -> text.append(text.length() == 0 ? "" : "/").append(name));
    return text.toString();
  }

  private String expected(List<String> stars) {
    return namespaces.stream()
        .map(pattern -> pattern.with(stars))
        .collect(Collectors.joining(" or ", "namespace ", ""));
  }
}
