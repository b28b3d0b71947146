// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import java.nio.file.Path;
import java.util.List;

/**
 * The chart with some values.
 *
 * @param name of the values, {@code NAME.values.yaml}, and of what the chart makes of them, {@code
 *     NAME.golden.yaml}
 * @param namespace into which it is installed
 */
record Chart(String name, String namespace) {
  static final Path DIRECTORY = Manifests.DEPLOY.resolve("chart");
  static final Chart DEFAULT = new Chart("default", "holdfast");
  static final Chart NAMESPACES = new Chart("namespaces", "edge");

  private static final Path FILES =
      Path.of("src/test/resources/dev/holdfast/interop/kubernetes/deploy").toAbsolutePath();

  static List<Chart> all() {
    return List.of(DEFAULT, NAMESPACES, new Chart("trial", "holdfast"));
  }

  Path goldenFile() {
    return FILES.resolve(name + ".golden.yaml");
  }

  /** What Helm made of the values when the file was last written. */
  String golden() {
    return Manifests.read(goldenFile());
  }

  /** What Helm makes of the values. */
  String rendered() {
    return HelmBinary.template(DIRECTORY, namespace, FILES.resolve(name + ".values.yaml"));
  }

  @Override
  public String toString() {
    return name;
  }
}
