// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;

/** Clusters for tests that care for a part of one. */
final class Clusters {
  private static final String EDS =
      "name: 'c' type: EDS eds_cluster_config { eds_config { ads {} } } ";

  private Clusters() {}

  static Decoded<Cluster> decode(String text) {
    return ClusterDecoder.decode(Protos.cluster(text), DecodeOptions.defaults());
  }

  /** An EDS cluster that is fine but for what is added. */
  static Decoded<Cluster> eds(String rest) {
    return decode(EDS + rest);
  }

  static LbPolicy lbPolicy(String rest) {
    return Outcomes.value(eds(rest)).lbPolicy();
  }
}
