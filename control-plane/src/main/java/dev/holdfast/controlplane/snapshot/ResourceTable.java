// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import dev.holdfast.base.PersistentMap;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable table of the resources of one type by name. Its version identifies the content and
 * is updated incrementally: it is the sum of the digests of each resource's name and version.
 */
public final class ResourceTable {
  private static final ResourceTable EMPTY = new ResourceTable(PersistentMap.empty(), 0, 0);

  private final PersistentMap<String, Resource> resources;
  private final long high;
  private final long low;

  /**
   * Computed lazily. A race is harmless: a thread that does not see the value computes an equal
   * one.
   */
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

  /** A copy in which a resource is added or replaced. */
  public ResourceTable with(Resource resource) {
    Resource before = resources.get(resource.name());
    PersistentMap<String, Resource> changed = resources.with(resource.name(), resource);
    if (changed == resources) {
      return this;
    }
    return new ResourceTable(
        changed,
        high + resource.fingerprintHigh() - (before == null ? 0 : before.fingerprintHigh()),
        low + resource.fingerprintLow() - (before == null ? 0 : before.fingerprintLow()));
  }

  /** A copy without the resource of that name. */
  public ResourceTable without(String name) {
    Resource before = resources.get(name);
    return before == null
        ? this
        : new ResourceTable(
            resources.without(name),
            high - before.fingerprintHigh(),
            low - before.fingerprintLow());
  }

  /** Passes on all resources in the order of their names. */
  public void forEach(Consumer<? super Resource> action) {
    resources.forEach((name, resource) -> action.accept(resource));
  }

  /** Equal for equal names and versions, on every machine. */
  public String version() {
    String known = version;
    if (known == null) {
      HexFormat hex = HexFormat.of();
      known = hex.toHexDigits(high) + hex.toHexDigits(low);
      version = known;
    }
    return known;
  }

  /** The upper half of the version, as a number. */
  public long versionHigh() {
    return high;
  }

  /** The lower half of the version, as a number. */
  public long versionLow() {
    return low;
  }

  /** Whether two tables hold the same resources, judging by their versions. */
  public boolean sameAs(ResourceTable other) {
    return this == other || (high == other.high && low == other.low && size() == other.size());
  }

  /** Passes on the differences between two tables, by name. */
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
