// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

/** What the clusters of a mesh ask for. */
enum MeshVariant {
  /** Nothing: round robin, without encryption. */
  PLAIN(1),
  /** Weighted round robin over servers that report their load with each answer. */
  WEIGHTED(3),
  /** Connections that the control plane secures. */
  TLS(1);

  private final int backends;

  MeshVariant(int backends) {
    this.backends = backends;
  }

  int backends() {
    return backends;
  }
}
