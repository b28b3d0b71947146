// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Place;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Versions;
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
public final class Shared {
  private static final Shared EMPTY =
      new Shared(
          PersistentMap.empty(),
          MultiMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty(),
          PersistentMap.empty());

  private final PersistentMap<String, Fragment> fragments;

  /** Digests of the parts of each object, by fragment. */
  private final MultiMap<ObjectKey, String, String> parts;

  private final PersistentMap<ObjectKey, String> contributions;

  /** How many fragments need a cluster. */
  private final PersistentMap<String, Integer> needs;

  private final PersistentMap<String, String> clusters;

  private Shared(
      PersistentMap<String, Fragment> fragments,
      MultiMap<ObjectKey, String, String> parts,
      PersistentMap<ObjectKey, String> contributions,
      PersistentMap<String, Integer> needs,
      PersistentMap<String, String> clusters) {
    this.fragments = fragments;
    this.parts = parts;
    this.contributions = contributions;
    this.needs = needs;
    this.clusters = clusters;
  }

  /** No fragments. */
  public static Shared empty() {
    return EMPTY;
  }

  public boolean isEmpty() {
    return fragments.isEmpty();
  }

  /** The same with a fragment in the place of the one of that name; null for none. */
  public Shared with(String name, @Nullable Fragment fragment) {
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
    return new Shared(
        fragment == null ? fragments.without(name) : fragments.with(name, fragment),
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
          digests.isEmpty() ? changed.without(object) : changed.with(object, Versions.of(digests));
    }
    return changed;
  }

  /**
   * The resource.
   *
   * @param skeleton the message without the fragments
   * @param field the number and the name of the repeated field of the fragments
   */
  public Resource resource(ResourceId id, ByteString skeleton, Field field) {
    List<ByteString> bytes = new ArrayList<>(fragments.size());
    List<String> versions = new ArrayList<>(fragments.size() + 1);
    versions.add(Versions.of(skeleton));
    fragments.forEach(
        (name, fragment) -> {
          bytes.add(fragment.bytes());
          versions.add(fragment.version());
        });
    PersistentMap<String, Fragment> own = fragments;
    return new Resource(
        id,
        Versions.of(versions),
        Repeated.append(skeleton, field.number(), bytes),
        Resource.Audience.ALL,
        contributions,
        clusters,
        () -> places(own, field.name()));
  }

  /** A repeated field. */
  public record Field(int number, String name) {}

  private static List<Place> places(PersistentMap<String, Fragment> fragments, String field) {
    List<Place> places = new ArrayList<>();
    int[] index = {0};
    fragments.forEach(
        (name, fragment) -> places.addAll(fragment.places(field + "[" + index[0]++ + "]")));
    return places;
  }
}
