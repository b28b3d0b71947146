// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import static java.util.Objects.requireNonNull;

/** The type and name of a resource. Ordered by type, then name. */
public record ResourceId(ResourceType type, String name) implements Comparable<ResourceId> {
  public ResourceId {
    requireNonNull(type, "type");
    requireNonNull(name, "name");
  }

  @Override
  public int compareTo(ResourceId other) {
    int order = type.compareTo(other.type);
    return order == 0 ? name.compareTo(other.name) : order;
  }

  /** {@code RouteConfiguration/ingress_http}. */
  @Override
  public String toString() {
    return type.word() + "/" + name;
  }
}
