// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Groups changed objects into bundles: objects that refer to one another, or that claim or claimed
 * the same host. No trial shows half of an edit.
 */
public final class BundleBuilder {
  private BundleBuilder() {}

  /**
   * The bundles of some changed objects, in the order in which they are tried.
   *
   * @param before gives the served generation of an object, null if there is none
   */
  static List<Bundle> of(
      Collection<ConfigObject> changed, Function<ObjectKey, @Nullable ConfigObject> before) {
    SortedMap<ObjectKey, ConfigObject> byKey = new TreeMap<>();
    changed.forEach(object -> byKey.put(object.key(), object));
    Map<ObjectKey, ObjectKey> leaders = new TreeMap<>();
    byKey.keySet().forEach(key -> leaders.put(key, key));
    Map<String, ObjectKey> claimants = new TreeMap<>();
    for (ConfigObject object : byKey.values()) {
      ObjectKey key = object.key();
      ObjectReferences links = ObjectReferences.of(object);
      for (ObjectKey target : links.targets()) {
        if (byKey.containsKey(target)) {
          join(leaders, key, target);
        }
      }
      SortedSet<String> claims = new TreeSet<>(links.claims());
      ConfigObject old = before.apply(key);
      if (old != null) {
        claims.addAll(ObjectReferences.of(old).claims());
      }
      for (String claim : claims) {
        ObjectKey other = claimants.putIfAbsent(claim, key);
        if (other != null) {
          join(leaders, key, other);
        }
      }
    }
    SortedMap<ObjectKey, SortedMap<ObjectKey, ConfigObject>> groups = new TreeMap<>();
    byKey.forEach(
        (key, object) ->
            groups
                .computeIfAbsent(leader(leaders, key), unused -> new TreeMap<>())
                .put(key, object));
    return groups.values().stream().map(Bundle::new).sorted(Bundle.ORDER).toList();
  }

  private static ObjectKey leader(Map<ObjectKey, ObjectKey> leaders, ObjectKey key) {
    ObjectKey at = key;
    for (ObjectKey next = leaders.get(at); next != null && !next.equals(at); ) {
      at = next;
      next = leaders.get(at);
    }
    ObjectKey leader = at;
    for (at = key; !at.equals(leader); ) { // so that the next way is short
      ObjectKey next = leaders.put(at, leader);
      at = next == null ? leader : next;
    }
    return leader;
  }

  private static void join(Map<ObjectKey, ObjectKey> leaders, ObjectKey one, ObjectKey other) {
    leaders.put(leader(leaders, one), leader(leaders, other));
  }

  /**
   * The objects of a bundle, each in a bundle of its own, an object before those that refer to it:
   * to add something that nothing refers to yet changes no traffic.
   *
   * <p>A new policy and what it is for are the exception: no trial shows the latter without the
   * policy. If that is new as well, both stay together; otherwise the policy goes first.
   *
   * @param isServed whether some generation of an object is served
   */
  public static List<Bundle> apart(Bundle bundle, Predicate<ObjectKey> isServed) {
    SortedMap<ObjectKey, ConfigObject> objects = bundle.objects();
    Map<ObjectKey, ObjectKey> leaders = new TreeMap<>();
    objects.keySet().forEach(key -> leaders.put(key, key));
    SortedMap<ObjectKey, SortedSet<ObjectKey>> before = new TreeMap<>();
    objects.forEach(
        (key, object) -> before.put(key, new TreeSet<>(ObjectReferences.of(object).targets())));
    objects.forEach(
        (key, object) -> {
          ObjectKey target = ObjectReferences.policyTarget(object);
          if (target == null || isServed.test(key) || !objects.containsKey(target)) {
            return;
          }
          requireNonNull(before.get(key)).remove(target);
          if (isServed.test(target)) {
            requireNonNull(before.get(target)).add(key);
          } else {
            join(leaders, key, target);
          }
        });
    SortedMap<ObjectKey, SortedMap<ObjectKey, ConfigObject>> units = new TreeMap<>();
    SortedMap<ObjectKey, SortedSet<ObjectKey>> open = new TreeMap<>();
    objects.forEach(
        (key, object) -> {
          ObjectKey unit = leader(leaders, key);
          units.computeIfAbsent(unit, unused -> new TreeMap<>()).put(key, object);
          SortedSet<ObjectKey> needed = open.computeIfAbsent(unit, unused -> new TreeSet<>());
          for (ObjectKey other : requireNonNull(before.get(key))) {
            if (objects.containsKey(other) && !leader(leaders, other).equals(unit)) {
              needed.add(leader(leaders, other));
            }
          }
        });
    return inOrder(open).stream().map(unit -> new Bundle(requireNonNull(units.get(unit)))).toList();
  }

  /** Each unit after those that it needs, otherwise in their own order. */
  private static List<ObjectKey> inOrder(SortedMap<ObjectKey, SortedSet<ObjectKey>> open) {
    Map<ObjectKey, List<ObjectKey>> needing = new HashMap<>();
    SortedSet<ObjectKey> ready = new TreeSet<>();
    open.forEach(
        (unit, needed) -> {
          needed.forEach(
              other -> needing.computeIfAbsent(other, unused -> new ArrayList<>()).add(unit));
          if (needed.isEmpty()) {
            ready.add(unit);
          }
        });
    List<ObjectKey> order = new ArrayList<>();
    while (!open.isEmpty()) {
      ObjectKey next = ready.isEmpty() ? open.firstKey() : ready.first(); // a cycle is cut anywhere
      open.remove(next);
      ready.remove(next);
      order.add(next);
      for (ObjectKey unit : needing.getOrDefault(next, List.of())) {
        SortedSet<ObjectKey> needed = open.get(unit);
        if (needed != null && needed.remove(next) && needed.isEmpty()) {
          ready.add(unit);
        }
      }
    }
    return order;
  }

  /** The objects that refer to an object, directly or through others. */
  public static SortedSet<ObjectKey> dependents(ObjectKey on, Collection<ConfigObject> among) {
    Map<ObjectKey, List<ObjectKey>> referring = new HashMap<>();
    for (ConfigObject object : among) {
      for (ObjectKey target : ObjectReferences.of(object).targets()) {
        referring.computeIfAbsent(target, unused -> new ArrayList<>()).add(object.key());
      }
    }
    SortedSet<ObjectKey> found = new TreeSet<>();
    Deque<ObjectKey> open = new ArrayDeque<>(List.of(on));
    for (ObjectKey next = open.poll(); next != null; next = open.poll()) {
      for (ObjectKey key : referring.getOrDefault(next, List.of())) {
        if (!key.equals(on) && found.add(key)) {
          open.add(key);
        }
      }
    }
    return found;
  }
}
