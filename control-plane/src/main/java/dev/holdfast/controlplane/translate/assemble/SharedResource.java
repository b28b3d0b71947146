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
 * The fragments of a resource that many objects share, by name. A change costs what changed; only
 * the bytes of the whole are put together anew, by one copy. Never changes itself.
 */
public final class SharedResource {
  private final Field field;
  private final Chunks fragments;

  /** Digests of the parts of each object, by fragment. */
  private final MultiMap<ObjectKey, String, String> parts;

  private final PersistentMap<ObjectKey, String> contributions;

  /** How many fragments need a cluster. */
  private final PersistentMap<String, Integer> needs;

  private final PersistentMap<String, String> clusters;

  private SharedResource(
      Field field,
      Chunks fragments,
      MultiMap<ObjectKey, String, String> parts,
      PersistentMap<ObjectKey, String> contributions,
      PersistentMap<String, Integer> needs,
      PersistentMap<String, String> clusters) {
    this.field = field;
    this.fragments = fragments;
    this.parts = parts;
    this.contributions = contributions;
    this.needs = needs;
    this.clusters = clusters;
  }

  /**
   * No fragments.
   *
   * @param field what the fragments are elements of
   */
  public static SharedResource empty(Field field) {
    return new SharedResource(
        field,
        Chunks.empty(field.number()),
        MultiMap.empty(),
        PersistentMap.empty(),
        PersistentMap.empty(),
        PersistentMap.empty());
  }

  public boolean isEmpty() {
    return fragments.isEmpty();
  }

  /** The same with a fragment in the place of the one of that name; null for none. */
  public SharedResource with(String name, @Nullable Fragment fragment) {
    Fragment old = fragments.get(name);
    if (Objects.equals(old, fragment)) {
      return this;
    }
    SortedSet<ObjectKey> objects = new TreeSet<>();
    MultiMap<ObjectKey, String, String> newParts = parts;
    PersistentMap<String, Integer> newNeeds = needs;
    PersistentMap<String, String> newClusters = clusters;
    if (old != null) {
      objects.addAll(old.parts().keySet());
      for (ObjectKey object : old.parts().keySet()) {
        newParts = newParts.without(object, name);
      }
      for (String cluster : old.clusters()) {
        int count = count(newNeeds, cluster) - 1;
        newNeeds = count == 0 ? newNeeds.without(cluster) : newNeeds.with(cluster, count);
        newClusters = count == 0 ? newClusters.without(cluster) : newClusters;
      }
    }
    if (fragment != null) {
      objects.addAll(fragment.parts().keySet());
      for (Map.Entry<ObjectKey, String> part : fragment.parts().entrySet()) {
        newParts = newParts.with(part.getKey(), name, part.getValue());
      }
      for (String cluster : fragment.clusters()) {
        newNeeds = newNeeds.with(cluster, count(newNeeds, cluster) + 1);
        newClusters = newClusters.with(cluster, "");
      }
    }
    return new SharedResource(
        field,
        fragments.with(name, fragment),
        newParts,
        contributions(objects, newParts),
        newNeeds,
        newClusters);
  }

  private static int count(PersistentMap<String, Integer> needs, String cluster) {
    Integer count = needs.get(cluster);
    return count == null ? 0 : count;
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
   * The resource.
   *
   * @param skeleton the message without the fragments
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
        clusters,
        () -> places(own, name));
  }

  /** A repeated field of messages. */
  public record Field(int number, String name) {}

  private static List<SourcePlace> places(Chunks fragments, String field) {
    List<SourcePlace> places = new ArrayList<>();
    int[] index = {0};
    fragments.forEach(
        (name, fragment) -> places.addAll(fragment.places(field + "[" + index[0]++ + "]")));
    return places;
  }
}
