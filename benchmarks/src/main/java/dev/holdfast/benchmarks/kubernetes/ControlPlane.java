// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.nio.file.Path;

/** One side: a control plane that can be started, and the bootstrap of its Envoy. */
interface ControlPlane {
  String name();

  /** The only namespace that it reads. */
  String namespace();

  int xdsPort();

  /** Where its Envoy listens. */
  int httpPort();

  /** Prepares what its installation has besides the program. */
  void install(Cluster cluster);

  /**
   * @param fast writes statuses as fast as it can; never while something is measured
   */
  Child start(Path directory, Cluster cluster, boolean fast);

  /** Writes the bootstrap of an Envoy; the result is the file. */
  Path bootstrap(Path directory);

  /** What the status of an object says that it has looked at. */
  String statusMark();
}
