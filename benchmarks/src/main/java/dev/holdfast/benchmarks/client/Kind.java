// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

/** The kinds of resource that are measured. */
public enum Kind {
  CLUSTER("type.googleapis.com/envoy.config.cluster.v3.Cluster"),
  ENDPOINT("type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment");

  private final String typeUrl;

  Kind(String typeUrl) {
    this.typeUrl = typeUrl;
  }

  public String typeUrl() {
    return typeUrl;
  }
}
