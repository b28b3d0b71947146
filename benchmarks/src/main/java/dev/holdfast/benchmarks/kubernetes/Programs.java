// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What is run. {@code benchmarks/run} finds or builds these programs, and names them in the
 * environment.
 *
 * @param kube the directory of kube-apiserver, etcd and Contour's CRDs
 * @param manifests the directory of Holdfast's manifests
 */
record Programs(Path kube, Path contour, Path envoy, Path holdfast, Path manifests) {
  /** One of them is not to be had; the message is for people. */
  static final class MissingException extends Exception {
    MissingException(String message) {
      super(message);
    }
  }

  static Programs find(Map<String, String> environment) throws MissingException {
    return new Programs(
        path(environment, "KUBE", "a directory with kube-apiserver and etcd; see get-kube"),
        path(environment, "CONTOUR", "the program contour; see get-contour"),
        path(environment, "ENVOY", "the program envoy; see get-envoy"),
        path(environment, "HOLDFAST", "the launcher of Holdfast"),
        path(environment, "MANIFESTS", "the directory of Holdfast's manifests"));
  }

  private static Path path(Map<String, String> environment, String name, String expected)
      throws MissingException {
    String value = environment.getOrDefault(name, "");
    if (value.isEmpty() || !Files.isExecutable(Path.of(value))) {
      throw new MissingException(
          "%s: %s (expected: %s)".formatted(name, value.isEmpty() ? "not set" : value, expected));
    }
    return Path.of(value);
  }
}
