// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.xds.client.ResourceType;

/** This project's own resource types, so that its real decoders are measured. */
final class HoldfastTypes {
  private static final XdsTypes TYPES = new XdsTypes();

  private HoldfastTypes() {}

  static ResourceType<?> of(Kind kind) {
    return switch (kind) {
      case CLUSTER -> TYPES.cluster();
      case ENDPOINT -> TYPES.clusterLoadAssignment();
    };
  }
}
