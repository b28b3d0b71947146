// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.StatusSink;
import dev.holdfast.config.StoredState;
import dev.holdfast.config.StoredStatus;
import dev.holdfast.controlplane.ads.fleet.ProxyGroups;
import dev.holdfast.controlplane.ledger.EventLog;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.rollout.RolloutManager;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is said of every object. Nothing is shown before it is durable, so that nothing that was
 * shown is ever taken back by a crash. Loop only.
 */
public final class StatusBoard {
  private static final String MEANWHILE = "while no server was running";

  private final TimeSource time;
  private final Journal journal;
  private final EventLog events;
  private final StatusSink sink;
  private final SortedMap<ObjectKey, ObjectEntry> entries = new TreeMap<>();

  /** What an earlier life said and knew of objects that have not been seen yet in this one. */
  private final Map<ObjectKey, StoredStatus> earlierStatus = new HashMap<>();

  private final Map<ObjectKey, Long> earlierServed = new HashMap<>();

  /** Whether proxies that an earlier life knew may still be on their way back. */
  private boolean gathering;

  public StatusBoard(TimeSource time, Journal journal, EventLog events, StatusSink sink) {
    this.time = time;
    this.journal = journal;
    this.events = events;
    this.sink = sink;
  }

  /**
   * Takes up what was said before. It stays said until the proxies have had time to come back: that
   * a server has just started is no news for authors.
   */
  public void restore(StoredState state) {
    gathering = true;
    earlierStatus.putAll(state.statuses());
    state.accepted().forEach((key, spec) -> earlierServed.put(key, spec.object().generation()));
  }

  /** An object is there, perhaps in a new generation. */
  public void seen(ConfigObject object) {
    ObjectEntry entry = entries.get(object.key());
    if (entry == null) {
      entry = new ObjectEntry(object, time.nanoTime());
      StoredStatus status = earlierStatus.remove(object.key());
      if (status != null) {
        entry.status = status.status();
        entry.shown = status.status();
        entry.inherited = status.generation();
      }
      Long served = earlierServed.remove(object.key());
      if (served != null) {
        entry.served = served;
        entry.shownServed = served;
        entry.told = served;
      }
      entries.put(object.key(), entry);
      if (status == null) {
        recordSeen(HistoryEntry.Kind.OBJECT_ADDED, object, entry.status, "");
      } else if (status.generation() != object.generation()) {
        recordSeen(HistoryEntry.Kind.OBJECT_CHANGED, object, entry.status, MEANWHILE);
      }
    } else if (entry.object.generation() != object.generation()) {
      entry.seenAt = time.nanoTime();
      recordSeen(HistoryEntry.Kind.OBJECT_CHANGED, object, entry.status, "");
    }
    entry.object = object;
  }

  /**
   * Puts a generation into the history, and that it is there: a server that ends before it has
   * anything to say of the object must not find the same generation once more.
   */
  private void recordSeen(
      HistoryEntry.Kind kind, ConfigObject object, ObjectStatus status, String message) {
    StoredStatus stored = new StoredStatus(status, object.generation());
    journal.edit(state -> state.putStatus(object.key(), stored));
    record(kind, object.key(), object.generation(), message, null);
  }

  /** An object is no longer there. */
  public void gone(ObjectKey key) {
    ObjectEntry entry = entries.remove(key);
    if (entry != null) {
      journal.edit(state -> state.removeStatus(key).removeAccepted(key));
      record(HistoryEntry.Kind.OBJECT_REMOVED, key, entry.object.generation(), "", null);
    }
  }

  /**
   * The first report of the source is complete: what was not in it went away meanwhile. Of the rest
   * an earlier life may have ended between storing what is true and telling it.
   */
  public void allSeen() {
    new TreeMap<>(earlierStatus)
        .forEach(
            (key, status) -> {
              journal.edit(state -> state.removeStatus(key).removeAccepted(key));
              record(HistoryEntry.Kind.OBJECT_REMOVED, key, status.generation(), MEANWHILE, null);
            });
    earlierStatus.clear();
    earlierServed.clear();
    Map<ObjectKey, ObjectStatus> stored = new TreeMap<>();
    entries.forEach(
        (key, entry) -> {
          if (entry.inherited > 0 && !entry.shown.conditions().isEmpty()) {
            stored.put(key, entry.shown);
          }
        });
    if (!stored.isEmpty()) {
      sink.report(stored);
    }
  }

  /** Whoever is not back by now is taken to be gone. */
  public void gathered() {
    gathering = false;
  }

  public Collection<ObjectKey> keys() {
    return new ArrayList<>(entries.keySet());
  }

  /** Works out anew what is to be said of some objects. */
  public void evaluate(Collection<ObjectKey> keys, RolloutManager rollouts, ProxyGroups fleet) {
    Map<ObjectKey, News> changed = new TreeMap<>();
    for (ObjectKey key : keys) {
      ObjectEntry entry = entries.get(key);
      DesiredState wish = DesiredState.of(key, rollouts);
      boolean lasts = rollouts.common().hasBaseline();
      if (entry != null && wish != null && evaluate(entry, wish, fleet, lasts)) {
        changed.put(key, new News(entry, entry.status, entry.served));
      }
    }
    if (!changed.isEmpty()) {
      journal.whenDurable(() -> show(changed));
    }
  }

  /**
   * What is shown when it is durable. What is found out meanwhile is not, and waits for its own.
   */
  private record News(ObjectEntry entry, ObjectStatus status, long served) {}

  /**
   * @param lasts whether there is something that was accepted: before that, to store what needs no
   *     trial would make it all that is served after a restart
   */
  private boolean evaluate(ObjectEntry entry, DesiredState wish, ProxyGroups fleet, boolean lasts) {
    TranslatedObject object = wish.object();
    ObjectKey key = object.key();
    PollResult judged = wish.judge(fleet);
    entry.judged = judged;
    Hold hold = wish.hold();
    if (hold != null) {
      entry.served = hold.served();
    }
    boolean newlyServed = judged.isEverywhere() && entry.served != object.generation();
    if (newlyServed) {
      entry.served = object.generation();
      AcceptedSpec accepted = AcceptedSpec.of(entry.object);
      boolean untried = !Rollout.tries(key) || !accepted.isWhole(); // a Secret after a restart
      if (lasts && untried && entry.object.generation() == entry.served) {
        journal.edit(state -> state.putAccepted(accepted));
      }
    }
    String before = entry.reason();
    Condition programmed =
        Conditions.programmed(wish, judged, !fleet.isEmpty(), entry.served, time.now());
    ObjectStatus next = entry.status.with(Conditions.valid(object, time.now()));
    if (!staysSaid(entry, programmed)) {
      next = next.with(programmed);
    }
    ObjectStatus status = next;
    boolean changed = newlyServed || !next.equals(entry.status);
    if (!next.equals(entry.status)) {
      entry.status = next;
      long generation = entry.object.generation();
      journal.edit(state -> state.putStatus(key, new StoredStatus(status, generation)));
      tell(entry, before);
    }
    return changed;
  }

  private boolean staysSaid(ObjectEntry entry, Condition programmed) {
    Condition said = entry.status.condition(Conditions.PROGRAMMED);
    return gathering
        && said != null
        && programmed.status() == Condition.Status.UNKNOWN
        && entry.inherited == programmed.observedGeneration()
        && said.observedGeneration() == entry.inherited;
  }

  /** Puts what matters to people into the history. */
  private void tell(ObjectEntry entry, @Nullable String before) {
    Condition programmed = entry.status.condition(Conditions.PROGRAMMED);
    if (programmed == null) {
      return;
    }
    boolean wasRejected = isRejection(before);
    if (programmed.status() == Condition.Status.TRUE
        && (entry.told != programmed.observedGeneration() || wasRejected)) {
      entry.told = programmed.observedGeneration();
      record(
          wasRejected ? HistoryEntry.Kind.HEALED : HistoryEntry.Kind.PROGRAMMED,
          entry.object.key(),
          entry.object.generation(),
          programmed.message(),
          Duration.ofNanos(time.nanoTime() - entry.seenAt));
    } else if (isRejection(programmed.reason())) {
      record(
          HistoryEntry.Kind.REJECTED,
          entry.object.key(),
          entry.object.generation(),
          programmed.message(),
          null);
    }
  }

  private static boolean isRejection(@Nullable String reason) {
    return HoldText.REJECTED.equals(reason) || HoldText.REJECTED_NEW.equals(reason);
  }

  private void record(
      HistoryEntry.Kind kind,
      ObjectKey key,
      long generation,
      String message,
      @Nullable Duration took) {
    HistoryEntry plain =
        HistoryEntry.of(time.now(), kind).withObject(key, generation).withMessage(message);
    HistoryEntry entry = took == null ? plain : plain.withTook(took);
    journal.edit(state -> state.append(entry));
    journal.whenDurable(() -> events.tell(entry));
  }

  private void show(Map<ObjectKey, News> changed) {
    Map<ObjectKey, ObjectStatus> shown = new TreeMap<>();
    changed.forEach(
        (key, news) -> {
          ObjectEntry entry = news.entry();
          if (entries.get(key) == entry) {
            entry.shown = news.status();
            entry.shownServed = news.served();
            shown.put(key, entry.shown);
          }
        });
    sink.report(shown);
  }

  /** How an object fares; null if there is none. */
  public @Nullable ObjectReport report(ObjectKey key, RolloutManager rollouts, ProxyGroups fleet) {
    ObjectEntry entry = entries.get(key);
    DesiredState wish = DesiredState.of(key, rollouts);
    if (entry == null || wish == null) {
      return null;
    }
    PollResult judged = wish.judge(fleet);
    SortedSet<ResourceId> resources = new TreeSet<>();
    wish.object().footprint().forEach((id, digest) -> resources.add(id));
    List<String> problems = new ArrayList<>();
    wish.object().problems().forEach(problem -> problems.add(problem.toString()));
    return new ObjectReport(
        key,
        entry.object.generation(),
        entry.shownServed,
        List.copyOf(entry.shown.conditions().values()),
        judged.all(),
        judged.byClass(),
        resources,
        problems,
        List.of(),
        entry.object.body().position().toString());
  }

  /** What an author wants of an object, against what is served of it. */
  public List<String> diff(ObjectKey key, RolloutManager rollouts) {
    ObjectEntry entry = entries.get(key);
    return entry == null
        ? List.of()
        : SpecDiff.of(rollouts.common().servedObject(key), entry.object);
  }

  /** How many objects there are of each kind. */
  public Map<String, Integer> countByKind() {
    Map<String, Integer> counts = new TreeMap<>();
    entries.keySet().forEach(key -> counts.merge(key.kind(), 1, Integer::sum));
    return counts;
  }

  /** How many objects have each reason of being programmed or not. */
  public Map<String, Integer> countByReason() {
    Map<String, Integer> counts = new TreeMap<>(Map.of("Programmed", 0, "Pending", 0));
    for (ObjectEntry entry : entries.values()) {
      String reason = entry.reason();
      counts.merge(reason == null ? "Pending" : reason, 1, Integer::sum);
    }
    return counts;
  }

  public int countInvalid() {
    int invalid = 0;
    for (ObjectEntry entry : entries.values()) {
      Condition valid = entry.status.condition(Conditions.VALID);
      invalid += valid != null && valid.status() == Condition.Status.FALSE ? 1 : 0;
    }
    return invalid;
  }
}
