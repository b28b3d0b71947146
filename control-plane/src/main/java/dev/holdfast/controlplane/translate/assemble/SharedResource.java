// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import dev.holdfast.controlplane.translate.index.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of fragments of a resource that many objects share. The cost of a change follows
 * its size; only the bytes of the whole are copied again, once.
 */
public final class SharedResource {
  private final Field field;
  private final Chunks fragments;

  /** The digests of each object's parts, by fragment. */
  private final MultiMap<ObjectKey, String, String> parts;

  private final PersistentMap<ObjectKey, String> contributions;

  private final NameCounts clusters;
  private final NameCounts filters;

  private SharedResource(
      Field field,
      Chunks fragments,
      MultiMap<ObjectKey, String, String> parts,
      PersistentMap<ObjectKey, String> contributions,
      NameCounts clusters,
      NameCounts filters) {
    this.field = field;
    this.fragments = fragments;
    this.parts = parts;
    this.contributions = contributions;
    this.clusters = clusters;
    this.filters = filters;
  }

  /**
   * A resource without fragments.
   *
   * @param field the repeated field whose elements are the fragments
   */
  public static SharedResource empty(Field field) {
    return new SharedResource(
        field,
        Chunks.empty(field.number()),
        MultiMap.empty(),
        PersistentMap.empty(),
        NameCounts.EMPTY,
        NameCounts.EMPTY);
  }

  public boolean isEmpty() {
    return fragments.isEmpty();
  }

  /** A copy in which the fragment of that name is replaced, or removed if null. */
  public SharedResource with(String name, @Nullable Fragment fragment) {
    Fragment old = fragments.get(name);
    if (Objects.equals(old, fragment)) {
      return this;
    }
    SortedSet<ObjectKey> objects = new TreeSet<>();
    MultiMap<ObjectKey, String, String> newParts = parts;
    NameCounts newClusters = clusters;
    NameCounts newFilters = filters;
    if (old != null) {
      objects.addAll(old.parts().keySet());
      for (ObjectKey object : old.parts().keySet()) {
        newParts = newParts.without(object, name);
      }
      newClusters = newClusters.minus(old.clusters());
      newFilters = newFilters.minus(old.filters());
    }
    if (fragment != null) {
      objects.addAll(fragment.parts().keySet());
      for (Map.Entry<ObjectKey, String> part : fragment.parts().entrySet()) {
        newParts = newParts.with(part.getKey(), name, part.getValue());
      }
      newClusters = newClusters.plus(fragment.clusters());
      newFilters = newFilters.plus(fragment.filters());
    }
    return new SharedResource(
        field,
        fragments.with(name, fragment),
        newParts,
        contributions(objects, newParts),
        newClusters,
        newFilters);
  }

  private PersistentMap<ObjectKey, String> contributions(
      SortedSet<ObjectKey> objects, MultiMap<ObjectKey, String, String> newParts) {
    PersistentMap<ObjectKey, String> changed = contributions;
    for (ObjectKey object : objects) {
      List<String> digests = new ArrayList<>();
      newParts
          .get(object)
          .forEach(
              (name, digest) -> {
                digests.add(name);
                digests.add(digest);
              });
      changed =
          digests.isEmpty() ? changed.without(object) : changed.with(object, Digests.of(digests));
    }
    return changed;
  }

  /**
   * Builds the resource.
   *
   * @param skeleton the serialised message without the fragments
   */
  public Resource resource(ResourceId id, ByteString skeleton) {
    List<String> versions = new ArrayList<>();
    versions.add(Digests.of(skeleton));
    versions.addAll(fragments.versions());
    Chunks own = fragments;
    String name = field.name();
    return new Resource(
        id,
        Digests.of(versions),
        RepeatedField.join(skeleton, fragments.bytes()),
        Resource.Audience.ALL,
        contributions,
        clusters.names(),
        filters.names(),
        () -> places(own, name));
  }

  /** A repeated message field. */
  public record Field(int number, String name) {}

  private static List<SourcePlace> places(Chunks fragments, String field) {
    List<SourcePlace> places = new ArrayList<>();
    int[] index = {0};
    fragments.forEach(
        (name, fragment) -> places.addAll(fragment.places(field + "[" + index[0]++ + "]")));
    return places;
  }
}
