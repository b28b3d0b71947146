// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.ObjectReferences;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A selection that a proxy runs which refuses a part of what its class runs: what its class ran
 * before some commit, or what the proxy itself ran last. Where the proxy runs nothing, the
 * selection has nothing.
 *
 * @param objects all objects of the selection
 * @param translation their translation
 */
record StartingPoint(Collection<ConfigObject> objects, Translation translation) {

  /**
   * Finds it.
   *
   * @param refused what the proxy refuses of the selection of its class
   * @param last how its last own selection differs from that of its class; null if that is unknown
   * @return null if it is not known what the proxy runs: then any selection might take something
   *     away
   */
  static @Nullable StartingPoint of(
      ProxyFleet fleet,
      String node,
      Collection<ResourceId> refused,
      Rollout ofClass,
      @Nullable SortedMap<ObjectKey, @Nullable ConfigObject> last,
      RecentCommits commits) {
    Finder finder = new Finder(fleet, node, refused, ofClass);
    StartingPoint found =
        last == null ? null : finder.with(last, Snapshot.empty(), /* isOwn= */ true);
    for (RecentCommits.Step step : commits.steps()) {
      if (found == null && last != null) {
        SortedMap<ObjectKey, @Nullable ConfigObject> both = new TreeMap<>(step.changes());
        both.putAll(last);
        found = finder.with(both, Snapshot.empty(), /* isOwn= */ true);
      }
    }
    for (RecentCommits.Step step : commits.steps()) {
      found =
          found == null ? finder.with(step.changes(), step.before(), /* isOwn= */ false) : found;
    }
    if (found != null) {
      return found;
    }
    return fleet.hasSomethingToLose(node)
        ? finder.withoutWhatItNeverHad()
        : finder.withoutRefused();
  }

  private record Finder(
      ProxyFleet fleet, String node, Collection<ResourceId> refused, Rollout ofClass) {
    /**
     * The selection of the class with some differences; null if the proxy does not run that.
     *
     * @param then how it was served once: what it refers to may have been deleted since
     * @param isOwn whether it is known from the proxy itself
     */
    @Nullable StartingPoint with(
        SortedMap<ObjectKey, @Nullable ConfigObject> differences, Snapshot then, boolean isOwn) {
      Baseline selection = ofClass.selection();
      SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
      for (Map.Entry<ObjectKey, @Nullable ConfigObject> each : differences.entrySet()) {
        ConfigObject served = selection.get(each.getKey());
        if (served != null && !Objects.equals(served, each.getValue())) {
          changes.put(each.getKey(), each.getValue());
        }
      }
      Translation translation = ofClass.baseline().with(changes);
      for (ResourceId id : refused) {
        if (!isRun(id, translation, then.get(id), isOwn)) {
          return null;
        }
      }
      return with(changes, translation);
    }

    /**
     * The selection of the class without what is only in resources that the proxy has refused and
     * never had, whatever else it runs. Null if that would change what it runs.
     */
    @Nullable StartingPoint withoutWhatItNeverHad() {
      for (ResourceId id : refused) {
        if (fleet.running(node, id) != null || fleet.holdsUnknown(node, id)) {
          return null;
        }
      }
      SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
      for (ObjectKey key : contributors()) {
        TranslatedObject object = ofClass.baseline().objects().get(key);
        boolean[] isRun = {false};
        if (object != null) {
          object.footprint().forEach((id, part) -> isRun[0] |= isRoutesThatRun(id));
        }
        if (!isRun[0]) {
          changes.put(key, null);
        }
      }
      Translation translation = ofClass.baseline().with(changes);
      boolean[] takesNothing = {true};
      Snapshot.diff(
          ofClass.baseline().snapshot(),
          translation.snapshot(),
          (id, before, after) -> takesNothing[0] &= !isRoutesThatRun(id));
      for (ResourceId id : refused) {
        Resource version = translation.snapshot().get(id);
        takesNothing[0] &= version == null || !isRefused(version);
      }
      return takesNothing[0] ? with(changes, translation) : null;
    }

    private boolean isRoutesThatRun(ResourceId id) {
      return (id.type() == ResourceType.ROUTES || id.type() == ResourceType.VIRTUAL_HOST)
          && !refused.contains(id)
          && fleet.running(node, id) != null;
    }

    /** The selection of the class without everything that is in a resource that was refused. */
    StartingPoint withoutRefused() {
      SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
      contributors().forEach(key -> changes.put(key, null));
      return with(changes, ofClass.baseline().with(changes));
    }

    private StartingPoint with(
        SortedMap<ObjectKey, @Nullable ConfigObject> changes, Translation translation) {
      Baseline selection = ofClass.selection();
      List<ConfigObject> objects = new ArrayList<>();
      for (ConfigObject object : selection.objects()) {
        ConfigObject chosen =
            changes.containsKey(object.key()) ? changes.get(object.key()) : object;
        if (chosen != null) {
          objects.add(chosen);
        }
      }
      return new StartingPoint(objects, translation);
    }

    /**
     * The objects that contribute to what was refused. A policy and what it is for go together:
     * neither is served without the other.
     */
    private SortedSet<ObjectKey> contributors() {
      SortedSet<ObjectKey> found = new TreeSet<>();
      Deque<ObjectKey> open = new ArrayDeque<>();
      for (ResourceId id : refused) {
        Resource resource = ofClass.baseline().snapshot().get(id);
        if (resource != null) {
          resource.contributions().forEach((key, part) -> open.add(key));
        }
      }
      while (!open.isEmpty()) {
        ObjectKey key = open.remove();
        ConfigObject object = ofClass.servedObject(key);
        if (object != null && found.add(key)) {
          ObjectKey target = ObjectReferences.policyTarget(object);
          if (target != null) {
            open.add(target);
          }
          open.addAll(ofClass.baseline().policies(key));
        }
      }
      return found;
    }

    private boolean isRefused(Resource resource) {
      return fleet.opinion(node, resource) == ProxyFleet.Opinion.REFUSED;
    }

    /**
     * Whether the proxy runs a resource as it is in a translation, but for objects that were
     * deleted since.
     *
     * @param then the same version as it was served once; null if it was not
     * @param isOwn whether it is known from the proxy itself
     */
    private boolean isRun(
        ResourceId id, Translation translation, @Nullable Resource then, boolean isOwn) {
      Resource version = translation.snapshot().get(id);
      if (version != null && isRefused(version)) {
        return false;
      }
      Resource running = fleet.running(node, id);
      if (running == null) {
        return isOwn || (version == null && !fleet.holdsUnknown(node, id));
      }
      return running.equals(then)
          || (version != null && parts(running, translation).equals(parts(version, translation)));
    }

    /**
     * Without those of objects that were deleted since, or lost their effect with such an object: a
     * policy for it, or what it included.
     */
    private SortedMap<ObjectKey, String> parts(Resource resource, Translation translation) {
      SortedMap<ObjectKey, String> parts = new TreeMap<>();
      resource
          .contributions()
          .forEach(
              (key, part) -> {
                TranslatedObject object = translation.objects().get(key);
                boolean hasEffect = object == null || !object.footprint().isEmpty();
                if (hasEffect && ofClass.servedObject(key) != null) {
                  parts.put(key, part);
                }
              });
      return parts;
    }
  }
}
