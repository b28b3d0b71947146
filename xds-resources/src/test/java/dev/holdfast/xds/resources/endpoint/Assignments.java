// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Protos;

/** Assignments for tests that care for a part of one. */
final class Assignments {
  private Assignments() {}

  static Decoded<ClusterLoadAssignment> decode(String text) {
    return ClusterLoadAssignmentDecoder.decode(
        Protos.clusterLoadAssignment(text), DecodeOptions.defaults());
  }

  /** One locality that holds the given entries. */
  static Decoded<ClusterLoadAssignment> withEndpoints(String lbEndpoints) {
    return decode(
        "cluster_name: 'e' endpoints { load_balancing_weight { value: 1 } " + lbEndpoints + " }");
  }

  static String endpoint(String address, int port) {
    return "lb_endpoints { endpoint {" + address(address, port) + "} } ";
  }

  static String address(String address, int port) {
    return "address { socket_address { address: '" + address + "' port_value: " + port + " } } ";
  }

  static String locality(String region, int priority, long weight) {
    return "endpoints { locality { region: '"
        + region
        + "' } priority: "
        + priority
        + " load_balancing_weight { value: "
        + weight
        + " } } ";
  }
}
