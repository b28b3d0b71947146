// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One resource as it is served: serialised once, shared by all streams. Two are equal if name and
 * version are: the version is a digest of the body.
 */
public final class Resource {
  /** Who gets it. */
  public enum Audience {
    /** Those who ask for all of the type, and those who ask by name. */
    ALL,
    /** Only those who ask by name. */
    BY_NAME
  }

  private final ResourceId id;
  private final String version;
  private final ByteString body;
  private final Audience audience;
  private final PersistentMap<ObjectKey, String> contributions;
  private final PersistentMap<String, String> clusters;
  private final Provenance provenance;
  private final ByteBuffer mark;

  /**
   * @param version a digest of the body, the same for the same bytes on every machine
   * @param body the serialised message
   * @param contributions the objects that have a part in it, and a digest of the part: an object
   *     whose part is the same in two versions has no interest in which of them is served
   * @param clusters the clusters that must be there before this is of use; the values have no
   *     meaning
   */
  public Resource(
      ResourceId id,
      String version,
      ByteString body,
      Audience audience,
      PersistentMap<ObjectKey, String> contributions,
      PersistentMap<String, String> clusters,
      Provenance provenance) {
    this.id = requireNonNull(id, "id");
    this.version = requireNonNull(version, "version");
    this.body = requireNonNull(body, "body");
    this.audience = requireNonNull(audience, "audience");
    this.contributions = requireNonNull(contributions, "contributions");
    this.clusters = requireNonNull(clusters, "clusters");
    this.provenance = requireNonNull(provenance, "provenance");
    this.mark = Digests.mark(id.name(), version);
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

  public Provenance provenance() {
    return provenance;
  }

  /** Half of a digest of name and version. */
  long markHigh() {
    return mark.getLong(0);
  }

  /** The other half. */
  long markLow() {
    return mark.getLong(Long.BYTES);
  }

  /**
   * Whether this, where it runs, is an object's part of what is shown. The same bytes may have been
   * somebody else's when they were sent: who runs them runs what is shown, whoever's it is now.
   */
  public boolean runs(Resource shown, ObjectKey object, String part) {
    return part.equals((equals(shown) ? shown : this).contributions().get(object));
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

  /** Its name and version; never its body, which may hold private keys. */
  @Override
  public String toString() {
    return id + "@" + version;
  }
}
