// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What one class of proxies is served of an object, where that is not what the others are served.
 *
 * @param proxyClass the class
 * @param object the object
 * @param spec the generation that the class accepted; null if it accepted none
 */
public record ClassSpec(String proxyClass, ObjectKey object, @Nullable AcceptedSpec spec) {
  public ClassSpec {
    requireNonNull(proxyClass, "proxyClass");
    requireNonNull(object, "object");
    if (spec != null && !spec.object().key().equals(object)) {
      throw new IllegalArgumentException(
          "spec: of " + spec.object().key() + " (expected: " + object + ")");
    }
  }

  /** Who is served what. */
  public Key key() {
    return new Key(proxyClass, object);
  }

  /** A class and an object. Ordered by its parts. */
  public record Key(String proxyClass, ObjectKey object) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::proxyClass).thenComparing(Key::object);

    public Key {
      requireNonNull(proxyClass, "proxyClass");
      requireNonNull(object, "object");
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }
}
