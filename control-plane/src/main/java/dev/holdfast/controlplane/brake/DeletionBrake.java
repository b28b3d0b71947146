// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.brake;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.selection.ObjectReferences;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the source of objects and everything else, and keeps a mass deletion waiting: a
 * directory that was emptied, unmounted or overwritten by a bad copy looks like a deletion of
 * everything. What waits is served as before, while all other changes pass.
 *
 * <ul>
 *   <li>A deletion that comes alone passes, whatever depends on it. So does every deletion after
 *       which enough hosts are left; see {@link BrakeOptions}.
 *   <li>Deletions within the window count together. Once they are too many, those of the change
 *       that crossed the limit and the following ones wait.
 *   <li>A deletion of something that a waiting object needs waits with it.
 *   <li>What the first report of a source lacks that cannot be read in full is not deleted: it may
 *       stand where nobody can read it.
 *   <li>A waiting deletion ends when it is confirmed, or when the source has the object again. That
 *       most of the objects are back does not release the others: they may be on their way.
 * </ul>
 *
 * <p>Not thread-safe.
 */
public final class DeletionBrake {
  private final BrakeOptions options;
  private final TimeSource time;

  /** What is passed on, with the objects whose deletion waits. */
  private final SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();

  private final SortedMap<ObjectKey, WaitingDeletion> waiting = new TreeMap<>();

  /** The deletions within the window, whether they passed or wait. */
  private final SortedMap<ObjectKey, RecentDeletion> recent = new TreeMap<>();

  /** Reading the references of an object is expensive, and needed only now and then. */
  private final Map<ObjectKey, ReadReferences> references = new HashMap<>();

  private final Function<ObjectKey, @Nullable ConfigObject> inForce;

  private SortedMap<ObjectKey, ConfigObject> served = Collections.emptySortedMap();
  private SortedSet<ObjectKey> waited = Collections.emptySortedSet();

  /** What the first report lacked, of a source that could not be read in full. */
  private final SortedMap<ObjectKey, ConfigObject> unseen = new TreeMap<>();

  /** The hosts that would disappear; null until somebody asks. */
  private @Nullable SortedSet<String> lostHosts;

  /**
   * @param lastGood the generation that was in force, if that was another one
   */
  private record RecentDeletion(ConfigObject object, @Nullable ConfigObject lastGood, long at) {}

  private record ReadReferences(ConfigObject object, ObjectReferences references) {}

  /**
   * @param inForce gives the generation of an object that is in force, null if none is: an object
   *     whose newest generation is held has hosts to lose which that one does not tell
   */
  public DeletionBrake(
      BrakeOptions options, TimeSource time, Function<ObjectKey, @Nullable ConfigObject> inForce) {
    this.options = options;
    this.time = time;
    this.inForce = inForce;
  }

  /**
   * Restores what an earlier process knew, before the first change. An object that was served and
   * that the first change lacks was deleted in the meantime. What a Secret held is not known any
   * more; the proxies that have it keep it.
   *
   * @param waitedBefore the objects whose deletion waited already
   */
  public void restore(
      SortedMap<ObjectKey, AcceptedSpec> accepted, SortedSet<ObjectKey> waitedBefore) {
    served = new TreeMap<>();
    accepted.forEach((key, spec) -> served.put(key, spec.restored()));
    waited = new TreeSet<>(waitedBefore);
  }

  /** Takes changes of the source. */
  public BrakeDecision change(ObjectChanges changes) {
    unseen.keySet().removeAll(changes.added().keySet());
    if (!changes.complete()) {
      return change(changes, List.of());
    }
    List<ConfigObject> missing = List.copyOf(unseen.values());
    unseen.clear();
    return change(changes, missing);
  }

  /** Takes the first report of the source. */
  public BrakeDecision first(ObjectChanges changes) {
    SortedMap<ObjectKey, ConfigObject> missing = new TreeMap<>(served);
    missing.keySet().removeAll(changes.added().keySet());
    served = Collections.emptySortedMap();
    unseen.putAll(missing);
    if (changes.complete()) {
      return change(changes);
    }
    BrakeDecision decision = change(changes);
    SortedMap<ObjectKey, ConfigObject> put = new TreeMap<>(decision.put());
    put.putAll(unseen);
    objects.putAll(unseen);
    return decision.withPut(put);
  }

  /** The objects that the source has not shown yet, and that may be where it cannot be read. */
  public SortedSet<ObjectKey> unseen() {
    return new TreeSet<>(unseen.keySet());
  }

  private BrakeDecision change(ObjectChanges changes, Collection<ConfigObject> missing) {
    lostHosts = null;
    SortedMap<ObjectKey, ConfigObject> put = new TreeMap<>(changes.added());
    put.putAll(changes.changed());
    List<WaitingDeletion> undone = new ArrayList<>();
    put.forEach(
        (key, object) -> {
          objects.put(key, object);
          recent.remove(key);
          WaitingDeletion back = waiting.remove(key);
          if (back != null) {
            undone.add(back);
          }
        });
    SortedMap<ObjectKey, ConfigObject> deleted = new TreeMap<>();
    missing.forEach(object -> deleted.put(object.key(), object));
    for (ObjectKey key : changes.removed()) {
      ConfigObject object = objects.get(key);
      if (object != null && !waiting.containsKey(key)) {
        deleted.put(key, object);
      }
    }
    forgetOld();
    Verdict verdict = deleted.isEmpty() ? Verdict.NONE : judge(deleted);
    if (unseen.isEmpty()) {
      waited = Collections.emptySortedSet();
    }
    List<WaitingDeletion> held = new ArrayList<>();
    SortedSet<ObjectKey> removed = new TreeSet<>();
    deleted.forEach(
        (key, object) -> {
          recent.put(key, new RecentDeletion(object, lastGood(object), time.nanoTime()));
          if (verdict.held().contains(key)) {
            WaitingDeletion one = new WaitingDeletion(object, time.now());
            waiting.put(key, one);
            held.add(one);
            if (objects.put(key, object) == null) {
              put.put(key, object); // only the state knew it
            }
          } else if (objects.remove(key) != null) {
            removed.add(key);
          }
        });
    return new BrakeDecision(
        put, removed, held, undone, List.of(), verdict.lost(), verdict.servedHosts());
  }

  private record Verdict(Set<ObjectKey> held, SortedSet<String> lost, int servedHosts) {
    static final Verdict NONE = new Verdict(Set.of(), Collections.emptySortedSet(), 0);
  }

  private Verdict judge(SortedMap<ObjectKey, ConfigObject> deleted) {
    if (!options.enabled()
        || (deleted.size() + recent.size() < 2 && waiting.isEmpty() && waited.isEmpty())) {
      return Verdict.NONE; // the usual case costs nothing
    }
    SortedMap<ObjectKey, ConfigObject> all = new TreeMap<>(objects);
    recent.forEach((key, one) -> all.put(key, one.object()));
    all.putAll(deleted);
    references.keySet().retainAll(all.keySet());
    HostDependencies hosts = dependencies(all.values());
    for (RecentDeletion one : recent.values()) {
      if (one.lastGood() != null) {
        hosts.add(one.lastGood(), ObjectReferences.of(one.lastGood()));
      }
    }
    SortedSet<ObjectKey> together = new TreeSet<>(deleted.keySet());
    together.addAll(recent.keySet());
    SortedSet<String> lost = hosts.lost(together);
    if (hosts.count(together) > 1 && options.isTooMany(lost.size(), hosts.hosts())) {
      return new Verdict(deleted.keySet(), lost, hosts.hosts());
    }
    SortedSet<ObjectKey> needing = new TreeSet<>(waited);
    needing.addAll(waiting.keySet());
    SortedSet<ObjectKey> held = hosts.neededBy(needing);
    held.retainAll(deleted.keySet());
    return new Verdict(held, hosts.lost(held), hosts.hosts());
  }

  /** What hosts need, both as their authors wrote it last and as it is in force. */
  private HostDependencies dependencies(Collection<ConfigObject> all) {
    HostDependencies hosts = new HostDependencies();
    for (ConfigObject object : all) {
      hosts.add(object, references(object));
      ConfigObject lastGood = lastGood(object);
      if (lastGood != null) {
        hosts.add(lastGood, ObjectReferences.of(lastGood));
      }
    }
    return hosts;
  }

  private @Nullable ConfigObject lastGood(ConfigObject object) {
    ConfigObject served = inForce.apply(object.key());
    return object.equals(served) ? null : served;
  }

  private ObjectReferences references(ConfigObject object) {
    ReadReferences read = references.get(object.key());
    if (read == null || !read.object().equals(object)) {
      read = new ReadReferences(object, ObjectReferences.of(object));
      references.put(object.key(), read);
    }
    return read.references();
  }

  private void forgetOld() {
    long now = time.nanoTime();
    recent
        .values()
        .removeIf(one -> Duration.ofNanos(now - one.at()).compareTo(options.window()) > 0);
  }

  /** Lets everything go that waits. */
  public BrakeDecision confirm() {
    lostHosts = null;
    List<WaitingDeletion> confirmed = List.copyOf(waiting.values());
    SortedSet<ObjectKey> removed = new TreeSet<>();
    confirmed.forEach(one -> removed.add(one.object().key()));
    objects.keySet().removeAll(removed);
    waiting.clear();
    // What was confirmed says nothing about the deletions that follow.
    recent.keySet().removeAll(removed);
    return new BrakeDecision(
        Collections.emptySortedMap(),
        removed,
        List.of(),
        List.of(),
        confirmed,
        Collections.emptySortedSet(),
        0);
  }

  /** What waits, by key. */
  public Collection<WaitingDeletion> waiting() {
    return List.copyOf(waiting.values());
  }

  public @Nullable WaitingDeletion waiting(ObjectKey key) {
    return waiting.get(key);
  }

  /** The hosts that disappear if everything that waits is confirmed. */
  public SortedSet<String> lostHosts() {
    SortedSet<String> lost = lostHosts;
    if (lost == null) {
      lost =
          waiting.isEmpty()
              ? Collections.emptySortedSet()
              : dependencies(objects.values()).lost(waiting.keySet());
      lostHosts = lost;
    }
    return lost;
  }
}
