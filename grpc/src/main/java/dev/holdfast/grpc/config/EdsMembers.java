// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import io.grpc.StatusOr;
import org.jspecify.annotations.Nullable;

/** Endpoints that the control plane knows. */
final class EdsMembers implements MemberSource {
  private final Slot<ClusterLoadAssignment> slot;

  EdsMembers(Dependencies dependencies, String serviceName, Runnable onChange) {
    slot =
        new Slot<>(
            dependencies, dependencies.types().clusterLoadAssignment(), serviceName, onChange);
  }

  @Override
  public @Nullable StatusOr<ClusterLoadAssignment> assignment() {
    return slot.answer();
  }

  @Override
  public @Nullable AmbientError ambient() {
    return slot.ambient();
  }

  @Override
  public void refresh() {
    // The control plane sends what is new by itself.
  }

  @Override
  public void close(@Nullable Class<? extends MemberSource> successor) {
    if (successor == EdsMembers.class) {
      slot.closeForReplacement();
    } else {
      slot.close();
    }
  }
}
