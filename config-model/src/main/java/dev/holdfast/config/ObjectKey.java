// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

/**
 * What an object is called. Ordered by kind, namespace, name.
 *
 * @param kind such as {@code HTTPProxy}
 * @param namespace the namespace
 * @param name unique among the objects of that kind in the namespace
 */
public record ObjectKey(String kind, String namespace, String name)
    implements Comparable<ObjectKey> {
  public ObjectKey {
    requireNonNull(kind, "kind");
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
  }

  @Override
  public int compareTo(ObjectKey other) {
    int order = kind.compareTo(other.kind);
    if (order == 0) {
      order = namespace.compareTo(other.namespace);
    }
    return order == 0 ? name.compareTo(other.name) : order;
  }

  /** {@code HTTPProxy/namespace/name}. */
  @Override
  public String toString() {
    return kind + "/" + namespace + "/" + name;
  }
}
