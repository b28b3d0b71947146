// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the state is kept. The text of one is for people. */
public sealed interface StateOptions {
  /** A SQLite file. */
  record InFile(Path path) implements StateOptions {
    public InFile {
      requireNonNull(path, "path");
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /**
   * Objects of the cluster that is served. Several replicas may have the same state: one of them
   * leads, the others wait.
   */
  record InCluster(String namespace, String name) implements StateOptions {
    public InCluster {
      requireNonNull(namespace, "namespace");
      requireNonNull(name, "name");
    }

    @Override
    public String toString() {
      return SCHEME + namespace + "/" + name;
    }
  }

  /** What a place in a cluster begins with. */
  String SCHEME = "kubernetes:";

  /**
   * A file, or {@code kubernetes:NAMESPACE/NAME}.
   *
   * @param paths makes a path of a text
   * @throws IllegalArgumentException if it is neither
   */
  static StateOptions parse(String text, Function<String, Path> paths) {
    if (!text.startsWith(SCHEME)) {
      return new InFile(paths.apply(text));
    }
    String label = "[a-z0-9](?:[-a-z0-9]{0,51}[a-z0-9])?";
    Matcher place =
        Pattern.compile("(" + label + ")/(" + label + ")").matcher(text.substring(SCHEME.length()));
    if (!place.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' (expected: a file, or kubernetes:NAMESPACE/NAME)");
    }
    return new InCluster(place.group(1), place.group(2));
  }
}
