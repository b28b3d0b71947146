// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import dev.holdfast.base.PersistentMap;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Resources of one type by name. Never changes. Its version says what is in it and is kept up with
 * each change rather than worked out anew: the sum of a digest of each resource's name and version.
 */
public final class ResourceTable {
  private static final ResourceTable EMPTY = new ResourceTable(PersistentMap.empty(), 0, 0);

  private final PersistentMap<String, Resource> resources;
  private final long high;
  private final long low;

  /** Put together when it is asked for; whoever sees none puts together the same. */
  private @Nullable String version;

  private ResourceTable(PersistentMap<String, Resource> resources, long high, long low) {
    this.resources = resources;
    this.high = high;
    this.low = low;
  }

  public static ResourceTable empty() {
    return EMPTY;
  }

  public int size() {
    return resources.size();
  }

  public boolean isEmpty() {
    return resources.isEmpty();
  }

  /** A resource by name; null if there is none. */
  public @Nullable Resource get(String name) {
    return resources.get(name);
  }

  public boolean contains(String name) {
    return resources.containsKey(name);
  }

  /** The same with one more resource, or another version of one. */
  public ResourceTable with(Resource resource) {
    Resource before = resources.get(resource.name());
    PersistentMap<String, Resource> changed = resources.with(resource.name(), resource);
    if (changed == resources) {
      return this;
    }
    return new ResourceTable(
        changed,
        high + resource.markHigh() - (before == null ? 0 : before.markHigh()),
        low + resource.markLow() - (before == null ? 0 : before.markLow()));
  }

  /** The same without a resource. */
  public ResourceTable without(String name) {
    Resource before = resources.get(name);
    return before == null
        ? this
        : new ResourceTable(
            resources.without(name), high - before.markHigh(), low - before.markLow());
  }

  /** Hands over the resources by name. */
  public void forEach(Consumer<? super Resource> action) {
    resources.forEach((name, resource) -> action.accept(resource));
  }

  /** The same for the same names and versions, on every machine. */
  public String version() {
    String known = version;
    if (known == null) {
      HexFormat hex = HexFormat.of();
      known = hex.toHexDigits(high) + hex.toHexDigits(low);
      version = known;
    }
    return known;
  }

  /** Half of the version, as a number. */
  public long versionHigh() {
    return high;
  }

  /** The other half. */
  public long versionLow() {
    return low;
  }

  /** Whether two tables hold the same, told by their versions. */
  public boolean sameAs(ResourceTable other) {
    return this == other || (high == other.high && low == other.low && size() == other.size());
  }

  /** What is different between two tables, by name. */
  public static void diff(
      ResourceTable before,
      ResourceTable after,
      PersistentMap.Difference<String, Resource> difference) {
    PersistentMap.diff(before.resources, after.resources, difference);
  }

  @Override
  public String toString() {
    return resources.toString();
  }
}
