// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One xDS resource as it is served: serialised once, shared by all streams. Two resources are equal
 * if their names and versions are, because the version is a digest of the body.
 */
public final class Resource {
  /** Which subscriptions receive the resource. */
  public enum Audience {
    /** Wildcard subscriptions, and subscriptions by name. */
    ALL,
    /** Only subscriptions by name. */
    BY_NAME
  }

  private final ResourceId id;
  private final String version;
  private final ByteString body;
  private final Audience audience;
  private final PersistentMap<ObjectKey, String> contributions;
  private final PersistentMap<String, String> clusters;
  private final PersistentMap<String, String> filters;
  private final Provenance provenance;
  private final ByteBuffer fingerprint;

  /**
   * @param version a digest of the body, equal for equal bytes on every machine
   * @param body the serialised message
   * @param contributions the objects that contribute to the resource, each with a digest of its
   *     part: to an object whose part is equal in two versions, it does not matter which of them a
   *     proxy runs
   * @param clusters the clusters that a proxy must have before this resource is useful; a set, the
   *     values have no meaning
   */
  public Resource(
      ResourceId id,
      String version,
      ByteString body,
      Audience audience,
      PersistentMap<ObjectKey, String> contributions,
      PersistentMap<String, String> clusters,
      Provenance provenance) {
    this(id, version, body, audience, contributions, clusters, PersistentMap.empty(), provenance);
  }

  /**
   * @param filters the filters of policies that a listener contains, or that routes enable; a set,
   *     the values have no meaning
   */
  public Resource(
      ResourceId id,
      String version,
      ByteString body,
      Audience audience,
      PersistentMap<ObjectKey, String> contributions,
      PersistentMap<String, String> clusters,
      PersistentMap<String, String> filters,
      Provenance provenance) {
    this.id = requireNonNull(id, "id");
    this.version = requireNonNull(version, "version");
    this.body = requireNonNull(body, "body");
    this.audience = requireNonNull(audience, "audience");
    this.contributions = requireNonNull(contributions, "contributions");
    this.clusters = requireNonNull(clusters, "clusters");
    this.filters = requireNonNull(filters, "filters");
    this.provenance = requireNonNull(provenance, "provenance");
    this.fingerprint = Digests.fingerprint(id.name(), version);
  }

  public ResourceId id() {
    return id;
  }

  public String name() {
    return id.name();
  }

  public String version() {
    return version;
  }

  public ByteString body() {
    return body;
  }

  public Audience audience() {
    return audience;
  }

  public PersistentMap<ObjectKey, String> contributions() {
    return contributions;
  }

  public PersistentMap<String, String> clusters() {
    return clusters;
  }

  public PersistentMap<String, String> filters() {
    return filters;
  }

  public Provenance provenance() {
    return provenance;
  }

  /** The upper half of a digest of name and version. */
  long fingerprintHigh() {
    return fingerprint.getLong(0);
  }

  /** The lower half of a digest of name and version. */
  long fingerprintLow() {
    return fingerprint.getLong(Long.BYTES);
  }

  /**
   * Whether a proxy that runs this resource runs the given part of an object. If it is equal to the
   * desired resource, the contributions of the desired one count: equal bytes may have come from
   * other objects at the time they were sent.
   */
  public boolean runs(Resource desired, ObjectKey object, String part) {
    return part.equals((equals(desired) ? desired : this).contributions().get(object));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Resource resource
        && id.equals(resource.id)
        && version.equals(resource.version);
  }

  @Override
  public int hashCode() {
    return 31 * id.hashCode() + version.hashCode();
  }

  /** The name and version; never the body, which may hold private keys. */
  @Override
  public String toString() {
    return id + "@" + version;
  }
}
