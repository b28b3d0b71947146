// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Comparator;

/**
 * A proxy refused a version of a resource. Remembered so that the same bytes are not sent again,
 * not even by the process that comes after this one.
 *
 * @param proxyClass the class of the proxy
 * @param nodeId the proxy; empty if this counts for the whole class
 * @param typeUrl the type of the resource
 * @param resourceName its name
 * @param version the digest of the bytes that were refused
 * @param message what the proxy said, fit to be shown
 * @param at when
 */
public record Rejection(
    String proxyClass,
    String nodeId,
    String typeUrl,
    String resourceName,
    String version,
    String message,
    Instant at) {
  public Rejection {
    requireNonNull(proxyClass, "proxyClass");
    requireNonNull(nodeId, "nodeId");
    requireNonNull(typeUrl, "typeUrl");
    requireNonNull(resourceName, "resourceName");
    requireNonNull(version, "version");
    requireNonNull(message, "message");
    requireNonNull(at, "at");
  }

  /** What it is a rejection of. */
  public Key key() {
    return new Key(proxyClass, nodeId, typeUrl, resourceName, version);
  }

  /** Who refused what. Ordered by its parts. */
  public record Key(
      String proxyClass, String nodeId, String typeUrl, String resourceName, String version)
      implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::proxyClass)
            .thenComparing(Key::nodeId)
            .thenComparing(Key::typeUrl)
            .thenComparing(Key::resourceName)
            .thenComparing(Key::version);

    public Key {
      requireNonNull(proxyClass, "proxyClass");
      requireNonNull(nodeId, "nodeId");
      requireNonNull(typeUrl, "typeUrl");
      requireNonNull(resourceName, "resourceName");
      requireNonNull(version, "version");
    }

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }
}
