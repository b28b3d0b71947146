// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;

/**
 * A proxy, as one that holds resources of a type. Ordered by its parts.
 *
 * @param nodeId the proxy
 * @param typeUrl the type
 */
public record Holder(String nodeId, String typeUrl) implements Comparable<Holder> {
  private static final Comparator<Holder> ORDER =
      Comparator.comparing(Holder::nodeId).thenComparing(Holder::typeUrl);

  public Holder {
    requireNonNull(nodeId, "nodeId");
    requireNonNull(typeUrl, "typeUrl");
  }

  @Override
  public int compareTo(Holder other) {
    return ORDER.compare(this, other);
  }
}
