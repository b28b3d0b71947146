// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The selection that proxies are served: objects, and their translation to resources. */
public final class Baseline {
  private final SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();
  private final Consumer<ObjectKey> affected;
  private Translation translation;
  private boolean established;

  /** Another selection, which has most of what is tried on top of this one; null if none has. */
  private @Nullable Baseline similar;

  /**
   * @param affected is given each object whose resources changed, also because of other objects
   */
  public Baseline(Translation empty, Consumer<ObjectKey> affected) {
    this.translation = empty;
    this.affected = affected;
  }

  /**
   * Whether proxies have accepted this selection. Before the first acceptance there is nothing that
   * could be kept.
   */
  public boolean isEstablished() {
    return established;
  }

  /** Proxies have accepted this selection, now or before a restart. */
  public void establish() {
    established = true;
  }

  /** This selection is not known to be what proxies run. */
  public void abandon() {
    established = false;
  }

  public Translation translation() {
    return translation;
  }

  /**
   * Trials of this selection will look much like another selection. A translation depends on its
   * objects alone, so it may as well be made by changing the other one: that costs as much as the
   * two differ, where everything would cost as much as at a start.
   */
  public void translateLike(Baseline other) {
    similar = other;
  }

  /** The objects, ordered by key. */
  public Collection<ConfigObject> objects() {
    return Collections.unmodifiableCollection(objects.values());
  }

  /** Adds objects that the translation contains already. */
  public void adopt(Collection<ConfigObject> adopted) {
    adopted.forEach(object -> objects.put(object.key(), object));
  }

  public Set<ObjectKey> keys() {
    return Collections.unmodifiableSet(objects.keySet());
  }

  public @Nullable ConfigObject get(ObjectKey key) {
    return objects.get(key);
  }

  public boolean contains(ObjectKey key) {
    return objects.get(key) != null;
  }

  /** The generation of an object that is served; 0 if none is. */
  public long generation(ObjectKey key) {
    ConfigObject object = objects.get(key);
    return object == null ? 0 : object.generation();
  }

  /** Applies changes that need no trial; null for an object that was deleted. */
  public void apply(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    Translation next = translation.with(changes); // if this fails, nothing has changed
    record(changes);
    replace(next);
  }

  /** Applies changes that were tried, with their translation. */
  public void commit(SortedMap<ObjectKey, ConfigObject> changes, Translation tried) {
    SortedMap<ObjectKey, @Nullable ConfigObject> nullable = new TreeMap<>();
    nullable.putAll(changes);
    record(nullable);
    replace(tried);
  }

  private void replace(Translation next) {
    Translation before = translation;
    translation = next;
    PersistentMap.diff(before.objects(), next.objects(), (key, was, is) -> affected.accept(key));
  }

  private void record(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    for (Map.Entry<ObjectKey, @Nullable ConfigObject> change : changes.entrySet()) {
      ConfigObject object = change.getValue();
      if (object == null) {
        objects.remove(change.getKey());
      } else {
        objects.put(change.getKey(), object);
      }
    }
  }

  /** The translation of this selection with some changes. */
  public Translation with(SortedMap<ObjectKey, ConfigObject> changes) {
    Baseline other = similar;
    if (other != null) {
      SortedMap<ObjectKey, ConfigObject> wanted = new TreeMap<>(objects);
      wanted.putAll(changes);
      SortedMap<ObjectKey, @Nullable ConfigObject> difference = other.differenceTo(wanted);
      if (difference.size() < changes.size()) {
        return other.translation.with(difference);
      }
    }
    SortedMap<ObjectKey, @Nullable ConfigObject> nullable = new TreeMap<>();
    nullable.putAll(changes);
    return translation.with(nullable);
  }

  /** The changes that make this selection another one. */
  private SortedMap<ObjectKey, @Nullable ConfigObject> differenceTo(
      SortedMap<ObjectKey, ConfigObject> wanted) {
    SortedMap<ObjectKey, @Nullable ConfigObject> difference = new TreeMap<>();
    for (Map.Entry<ObjectKey, ConfigObject> entry : wanted.entrySet()) {
      if (!entry.getValue().equals(objects.get(entry.getKey()))) {
        difference.put(entry.getKey(), entry.getValue());
      }
    }
    for (ObjectKey key : objects.keySet()) {
      if (!wanted.containsKey(key)) {
        difference.put(key, null);
      }
    }
    return difference;
  }

  /** Whether a translation has the same resources as this selection. */
  public boolean looksLike(Translation other) {
    boolean[] same = {true};
    Snapshot.diff(
        translation.snapshot(),
        other.snapshot(),
        (id, before, after) -> same[0] &= before == null ? after == null : before.equals(after));
    return same[0];
  }

  /** The digest of an object's contribution to a resource; null if it has none. */
  public static @Nullable String part(Translation translation, ObjectKey key, ResourceId id) {
    TranslatedObject object = translation.objects().get(key);
    return object == null ? null : object.footprint().get(id);
  }

  /** Whether an object, other than some, contributes to a resource for the first time. */
  public boolean isJoined(Resource resource, Set<ObjectKey> but) {
    Resource here = translation.snapshot().get(resource.id());
    boolean[] joined = {false};
    resource
        .contributions()
        .forEach(
            (key, part) ->
                joined[0] |=
                    !but.contains(key) && (here == null || here.contributions().get(key) == null));
    return joined[0];
  }

  /** Whether an object's contribution to a resource differs from the one in this selection. */
  public boolean contributes(ObjectKey key, Resource resource) {
    String part = resource.contributions().get(key);
    Resource here = translation.snapshot().get(resource.id());
    String before = here == null ? null : here.contributions().get(key);
    return part == null ? before != null : !part.equals(before);
  }
}
