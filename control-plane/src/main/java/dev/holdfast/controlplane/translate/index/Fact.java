// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.config.ObjectKey;

/**
 * Something that is known of the objects and that things are derived from. Facts are cut so that
 * what is derived from one has an interest in it: a new endpoint is no news to a route.
 *
 * @param name an object's key, or a host
 */
public record Fact(Kind kind, String name) implements Comparable<Fact> {
  /** What is known. */
  public enum Kind {
    /** All that an object says. */
    OBJECT,
    /** That a service is there, and its ports. */
    PORTS,
    /** That a secret is there, and what it is good for; not what is in it. */
    CERTIFICATE,
    /** Which namespaces may use a secret. */
    GRANTS,
    /** Who wants to answer for a host. */
    CLAIMS,
    /** Which endpoint slices a service has. */
    SLICES,
    /** Which policies an object is the target of. */
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
