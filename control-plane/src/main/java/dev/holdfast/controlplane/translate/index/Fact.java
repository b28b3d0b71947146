// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.config.ObjectKey;

/**
 * An aspect of the objects that values are derived from. Facts are cut fine enough that a
 * derivation reads only what matters to it: a new endpoint does not cause routes to be derived
 * again.
 *
 * @param name an object's key, or a host
 */
public record Fact(Kind kind, String name) implements Comparable<Fact> {
  /** The aspects. */
  public enum Kind {
    /** The whole content of an object. */
    OBJECT,
    /** The presence of a service, and its ports. */
    PORTS,
    /** The presence of a secret, and what it can be used for; not its content. */
    SECRET_USE,
    /** The namespaces that may use a secret. */
    GRANTS,
    /** The objects that claim a host. */
    CLAIMS,
    /** The endpoint slices of a service. */
    SLICES,
    /** The policies that target an object. */
    POLICIES
  }

  static Fact of(Kind kind, ObjectKey key) {
    return new Fact(kind, key.toString());
  }

  @Override
  public int compareTo(Fact other) {
    int order = kind.compareTo(other.kind);
    return order == 0 ? name.compareTo(other.name) : order;
  }
}
