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
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.objects.references.FieldPositions;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.secret.TlsCertificateDelegation;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.rollout.RolloutManager;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.check.MissingObjects;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The status of every object. A status is shown only once it is durable, so that a crash never
 * takes back what was shown. Loop only.
 */
public final class StatusBoard {
  /** The reasons that the history tells about. */
  private static final Set<String> HISTORIC =
      Set.of(
          HoldText.REJECTED,
          HoldText.REJECTED_NEW,
          HoldText.INVALID,
          HoldText.INVALID_NEW,
          HoldText.CONFLICT);

  /** Those of them that no proxy had to find. */
  private static final Set<String> INVALID_REASONS = Set.of(HoldText.INVALID, HoldText.INVALID_NEW);

  private static final HistoryEntry.Kind INVALID = new HistoryEntry.Kind("INVALID");
  private static final HistoryEntry.Kind VALID_AGAIN = new HistoryEntry.Kind("VALID_AGAIN");
  private static final String MEANWHILE = "while the control plane was not running";

  private final TimeSource time;
  private final Journal journal;
  private final EventLog events;
  private final StatusSink sink;
  private final TreeMap<ObjectKey, ObjectEntry> entries = new TreeMap<>();

  /**
   * Status and served generations from the store, of objects that the source has not reported yet.
   */
  private final Map<ObjectKey, StoredStatus> restoredStatus = new HashMap<>();

  private final Map<ObjectKey, Long> restoredServed = new HashMap<>();

  /** Whether proxies that were connected before the restart may still reconnect. */
  private boolean reconnectGrace;

  public StatusBoard(TimeSource time, Journal journal, EventLog events, StatusSink sink) {
    this.time = time;
    this.journal = journal;
    this.events = events;
    this.sink = sink;
  }

  /**
   * Restores the status of objects from the store. It stays in place until the proxies have had
   * time to reconnect: a restart of the server alone does not change what authors see.
   */
  public void restore(StoredState state) {
    reconnectGrace = true;
    restoredStatus.putAll(state.statuses());
    state.accepted().forEach((key, spec) -> restoredServed.put(key, spec.object().generation()));
  }

  /** Adds an object, or replaces it by a newer generation. */
  public void put(ConfigObject object) {
    ObjectEntry entry = entries.get(object.key());
    if (entry == null) {
      entry = new ObjectEntry(object, time.nanoTime());
      StoredStatus status = restoredStatus.remove(object.key());
      if (status != null) {
        entry.status = status.status();
        entry.shown = status.status();
        entry.restoredGeneration = status.generation();
        entry.wasRejected = isRejection(entry.reason());
        Condition valid = entry.status.condition(Conditions.VALID);
        if (valid != null) {
          entry.scoutNotes =
              ScoutNotes.restored(status.generation(), ProblemDetails.ofScouts(valid.details()));
        }
      }
      Long served = restoredServed.remove(object.key());
      if (served != null) {
        boolean isUsed = !Conditions.NOT_REFERENCED.equals(entry.reason());
        entry.served = isUsed ? served : 0;
        entry.shownServed = entry.served;
        entry.recordedGeneration = served;
        entry.acceptedGeneration = served;
      }
      entries.put(object.key(), entry);
      if (status == null) {
        recordGeneration(HistoryEntry.Kind.OBJECT_ADDED, object, entry.status, "");
      } else if (status.generation() != object.generation()) {
        recordGeneration(HistoryEntry.Kind.OBJECT_CHANGED, object, entry.status, MEANWHILE);
      }
    } else if (entry.object.generation() != object.generation()) {
      entry.seenAt = time.nanoTime();
      recordGeneration(HistoryEntry.Kind.OBJECT_CHANGED, object, entry.status, "");
    }
    entry.object = object;
  }

  /**
   * Records a generation in the history and in the stored status: a server that stops before it has
   * evaluated the object must not report the same generation again after its restart.
   */
  private void recordGeneration(
      HistoryEntry.Kind kind, ConfigObject object, ObjectStatus status, String message) {
    StoredStatus stored = new StoredStatus(status, object.generation());
    journal.edit(state -> state.putStatus(object.key(), stored));
    record(kind, object.key(), object.generation(), message, null);
  }

  /** Removes an object. */
  public void remove(ObjectKey key) {
    ObjectEntry entry = entries.remove(key);
    if (entry != null) {
      journal.edit(state -> state.removeStatus(key).removeAccepted(key));
      record(HistoryEntry.Kind.OBJECT_REMOVED, key, entry.object.generation(), "", null);
    }
  }

  /**
   * Requests for an object were sent through a scout. What was found and holds nothing is shown
   * with the object until requests are sent again, or something else of it is in force.
   *
   * @return whether there is anything new to show
   */
  public boolean probed(ObjectKey key, String scout, List<ScoutProbe.Finding> findings) {
    ObjectEntry entry = entries.get(key);
    if (entry == null) {
      return false;
    }
    ScoutNotes before = entry.scoutNotes;
    entry.scoutNotes = before.with(scout, entry.object, findings);
    return !entry.scoutNotes.equals(before);
  }

  /**
   * The first report of the source is complete: objects that it does not contain were removed while
   * no server was running. The restored status of the others is reported to the sink again, because
   * the previous process may have ended between storing a status and reporting it.
   */
  public void sourceComplete() {
    new TreeMap<>(restoredStatus)
        .forEach(
            (key, status) -> {
              journal.edit(state -> state.removeStatus(key).removeAccepted(key));
              record(HistoryEntry.Kind.OBJECT_REMOVED, key, status.generation(), MEANWHILE, null);
            });
    restoredStatus.clear();
    restoredServed.clear();
    Map<ObjectKey, ObjectStatus> stored = new TreeMap<>();
    entries.forEach(
        (key, entry) -> {
          if (entry.restoredGeneration > 0 && !entry.shown.conditions().isEmpty()) {
            stored.put(key, forAuthors(entry.shown));
          }
        });
    if (!stored.isEmpty()) {
      sink.report(stored);
    }
  }

  /**
   * Since when a generation of an object has not been served, if that was so before this process
   * started; null if not.
   */
  public @Nullable Instant heldBefore(ObjectKey key, long generation) {
    ObjectEntry entry = entries.get(key);
    if (entry == null) {
      return null;
    }
    Condition programmed = entry.status.condition(Conditions.PROGRAMMED);
    return programmed != null
            && entry.restoredGeneration == generation
            && programmed.status() == Condition.Status.FALSE
            && programmed.observedGeneration() == generation
        ? programmed.lastTransition()
        : null;
  }

  /** Ends the time in which proxies may reconnect: those that have not are considered gone. */
  public void endReconnectGrace() {
    reconnectGrace = false;
  }

  public Collection<ObjectKey> keys() {
    return new ArrayList<>(entries.keySet());
  }

  /** Evaluates the status of these objects. */
  public void evaluate(
      Collection<ObjectKey> keys,
      RolloutManager rollouts,
      ProxyGroups fleet,
      Consumer<ObjectKey> onEach,
      BiConsumer<ObjectKey, Throwable> onError) {
    Map<ObjectKey, PendingStatus> changed = new TreeMap<>();
    for (ObjectKey key : withDelegations(keys)) {
      try {
        onEach.accept(key);
        ObjectEntry entry = entries.get(key);
        DesiredState desired = DesiredState.of(key, rollouts);
        if (entry != null && desired != null && evaluate(entry, desired, fleet)) {
          changed.put(key, new PendingStatus(entry, entry.status, entry.served));
        }
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        onError.accept(key, e);
      }
    }
    if (!changed.isEmpty()) {
      journal.whenDurable(() -> publish(changed));
    }
  }

  /** Whether a delegation is in use depends on the Secrets of its namespace. */
  private Collection<ObjectKey> withDelegations(Collection<ObjectKey> keys) {
    SortedSet<ObjectKey> all = new TreeSet<>(keys);
    Set<String> namespaces = new HashSet<>();
    for (ObjectKey key : keys) {
      if (key.kind().equals(Secret.KIND) && namespaces.add(key.namespace())) {
        entries
            .tailMap(new ObjectKey(TlsCertificateDelegation.KIND, key.namespace(), ""))
            .keySet()
            .stream()
            .takeWhile(
                other ->
                    other.kind().equals(TlsCertificateDelegation.KIND)
                        && other.namespace().equals(key.namespace()))
            .forEach(other -> all.add(other));
      }
    }
    return all;
  }

  /**
   * A status that waits until it is durable. Later changes of the same entry are not durable at
   * that time; each has a pending status of its own.
   */
  private record PendingStatus(ObjectEntry entry, ObjectStatus status, long served) {}

  private boolean evaluate(ObjectEntry entry, DesiredState desired, ProxyGroups fleet) {
    TranslatedObject object = desired.object();
    ObjectKey key = object.key();
    PollResult poll = desired.poll(fleet);
    entry.poll = poll;
    long servedBefore = entry.served;
    entry.served = desired.served(poll, servedBefore);
    if (entry.served == object.generation()
        && entry.object.generation() == object.generation()
        && entry.acceptedGeneration != object.generation()) {
      storeUntried(entry, desired);
    }
    Condition programmed =
        Conditions.programmed(
            desired, poll, desired.diverged(fleet), !fleet.isEmpty(), entry.served, time.now());
    List<String> ofScouts = entry.scoutNotes.warnings(object.generation(), entry.served);
    ObjectStatus next = entry.status.with(Conditions.valid(object, ofScouts, time.now()));
    if (!keepsRestoredStatus(entry, programmed)) {
      next = next.with(programmed);
    }
    next = GrpcCondition.addTo(next, object, time.now());
    ObjectStatus status = next;
    boolean changed = entry.served != servedBefore || !next.equals(entry.status);
    if (!next.equals(entry.status)) {
      Condition validBefore = entry.status.condition(Conditions.VALID);
      entry.status = next;
      long generation = entry.object.generation();
      journal.edit(state -> state.putStatus(key, new StoredStatus(status, generation)));
      recordTransition(entry);
      recordValidity(entry, validBefore, desired.hold() != null);
    }
    return changed;
  }

  /**
   * Stores a generation that is in force and was not tried, as the rollout does with those that
   * were: otherwise a restart would take back that it is served.
   */
  private void storeUntried(ObjectEntry entry, DesiredState desired) {
    ObjectKey key = entry.object.key();
    AcceptedSpec accepted = AcceptedSpec.of(entry.object);
    boolean isTried = Rollout.tries(key);
    if (isTried && !accepted.isWhole() && !desired.hasBaseline()) {
      return; // alone, it would be the whole baseline after a restart
    }
    entry.acceptedGeneration = entry.object.generation();
    // The content of a Secret is not stored, so it is accepted again after a restart.
    if (!isTried || !accepted.isWhole()) {
      journal.edit(state -> state.putAccepted(accepted));
    }
  }

  /**
   * Tells when an object becomes invalid without being held, which nobody else would tell, and when
   * it is valid again.
   */
  private void recordValidity(ObjectEntry entry, @Nullable Condition before, boolean isHeld) {
    Condition valid = entry.status.condition(Conditions.VALID);
    if (valid == null) {
      return;
    }
    ObjectKey key = entry.object.key();
    long generation = valid.observedGeneration();
    boolean wasInvalid = before != null && before.status() == Condition.Status.FALSE;
    boolean isInvalid = valid.status() == Condition.Status.FALSE;
    if (wasInvalid && !isInvalid) {
      LogArea.OBJECTS
          .info("valid")
          .object(key, generation)
          .log(key + " generation " + generation + " is valid again");
      record(VALID_AGAIN, key, generation, "", null);
    } else if (isInvalid && !isHeld && !isSaid(before, valid)) {
      LogArea.OBJECTS
          .warn("invalid")
          .object(key, generation)
          .log(
              key
                  + " generation "
                  + generation
                  + " is not valid, "
                  + (entry.served == 0
                      ? "and nothing of it is served"
                      : "and not all of it is served")
                  + ": "
                  + valid.message());
      if (!isRejection(entry.reason())) {
        record(INVALID, key, generation, valid.message(), null);
      }
    }
  }

  private static boolean isSaid(@Nullable Condition before, Condition now) {
    return before != null
        && before.status() == now.status()
        && before.message().equals(now.message());
  }

  private boolean keepsRestoredStatus(ObjectEntry entry, Condition programmed) {
    Condition restored = entry.status.condition(Conditions.PROGRAMMED);
    return reconnectGrace
        && restored != null
        && programmed.status() == Condition.Status.UNKNOWN
        && entry.restoredGeneration == programmed.observedGeneration()
        && restored.observedGeneration() == entry.restoredGeneration;
  }

  /**
   * Records in the history when an object is programmed, rejected, or recovers from a rejection.
   */
  private void recordTransition(ObjectEntry entry) {
    Condition programmed = entry.status.condition(Conditions.PROGRAMMED);
    if (programmed == null) {
      return;
    }
    if (programmed.status() == Condition.Status.TRUE
        && (entry.recordedGeneration != programmed.observedGeneration() || entry.wasRejected)) {
      boolean isRecovered = entry.wasRejected;
      entry.recordedGeneration = programmed.observedGeneration();
      entry.wasRejected = false;
      record(
          isRecovered ? HistoryEntry.Kind.RECOVERED : HistoryEntry.Kind.PROGRAMMED,
          entry.object.key(),
          entry.object.generation(),
          programmed.message(),
          Duration.ofNanos(time.nanoTime() - entry.seenAt));
    } else if (isRejection(programmed.reason())) {
      entry.wasRejected = true;
      boolean isInvalid = INVALID_REASONS.contains(programmed.reason());
      record(
          isInvalid ? INVALID : HistoryEntry.Kind.REJECTED,
          entry.object.key(),
          entry.object.generation(),
          isInvalid ? withProblems(entry, programmed.message()) : programmed.message(),
          null);
    }
  }

  /** What is not valid, if a message does not say it. */
  private static String withProblems(ObjectEntry entry, String message) {
    Condition valid = entry.status.condition(Conditions.VALID);
    return valid == null || valid.status() != Condition.Status.FALSE || message.contains(": ")
        ? message
        : message + ": " + valid.message();
  }

  private static boolean isRejection(@Nullable String reason) {
    return reason != null && HISTORIC.contains(reason);
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
    journal.whenDurable(() -> events.publish(entry));
  }

  private void publish(Map<ObjectKey, PendingStatus> changed) {
    Map<ObjectKey, ObjectStatus> shown = new TreeMap<>();
    changed.forEach(
        (key, pending) -> {
          ObjectEntry entry = pending.entry();
          if (entries.get(key) == entry) {
            entry.shown = pending.status();
            entry.shownServed = pending.served();
            shown.put(key, forAuthors(entry.shown));
          }
        });
    sink.report(shown);
  }

  /** Of an object for another controller nothing is told where that one tells its authors. */
  private static ObjectStatus forAuthors(ObjectStatus status) {
    return Conditions.isOfAnotherClass(status) ? ObjectStatus.empty() : status;
  }

  /**
   * Adds a condition that says something about an object besides whether it is valid and
   * programmed, about its newest generation; null takes the condition of that type away.
   */
  public void note(ObjectKey key, String type, @Nullable Condition condition) {
    ObjectEntry entry = entries.get(key);
    if (entry == null) {
      return;
    }
    long generation = entry.object.generation();
    ObjectStatus next =
        condition == null
            ? entry.status.without(type)
            : entry.status.with(
                new Condition(
                    type,
                    condition.status(),
                    condition.reason(),
                    condition.message(),
                    generation,
                    condition.lastTransition()));
    if (!next.equals(entry.status)) {
      entry.status = next;
      journal.edit(state -> state.putStatus(key, new StoredStatus(next, generation)));
      Map<ObjectKey, PendingStatus> changed =
          Map.of(key, new PendingStatus(entry, next, entry.served));
      journal.whenDurable(() -> publish(changed));
    }
  }

  /** The report on an object; null if there is no such object. */
  public @Nullable ObjectReport report(ObjectKey key, RolloutManager rollouts, ProxyGroups fleet) {
    ObjectEntry entry = entries.get(key);
    DesiredState desired = DesiredState.of(key, rollouts);
    if (entry == null) {
      return null;
    }
    if (desired == null) {
      return waiting(entry);
    }
    SortedSet<ResourceId> resources = new TreeSet<>();
    desired.object().footprint().forEach((id, digest) -> resources.add(id));
    return report(
        entry, desired.object(), desired.poll(fleet).and(desired.diverged(fleet)), resources);
  }

  /** The reports on all objects, without proxies and resources, which take time to collect. */
  public List<ObjectReport> reports(RolloutManager rollouts) {
    List<ObjectReport> reports = new ArrayList<>();
    entries.forEach(
        (key, entry) -> {
          DesiredState desired = DesiredState.of(key, rollouts);
          if (desired != null) {
            reports.add(
                report(entry, desired.object(), PollResult.NONE, Collections.emptySortedSet()));
          }
        });
    return reports;
  }

  /** The report on an object that the rollouts do not know; null if there is nothing to say. */
  private static @Nullable ObjectReport waiting(ObjectEntry entry) {
    List<Condition> conditions = List.copyOf(entry.shown.conditions().values());
    return conditions.isEmpty()
        ? null
        : new ObjectReport(
            entry.object.key(),
            entry.object.generation(),
            entry.shownServed,
            conditions,
            PollResult.NONE.all(),
            PollResult.NONE.byClass(),
            Collections.emptySortedSet(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            entry.object.body().position().toString());
  }

  private ObjectReport report(
      ObjectEntry entry,
      TranslatedObject object,
      PollResult poll,
      SortedSet<ResourceId> resources) {
    List<String> problems = new ArrayList<>();
    object
        .problems()
        .forEach(
            problem ->
                problems.add(
                    MissingObjects.suggest(problem, entries.navigableKeySet()).toString()));
    List<String> warnings = new ArrayList<>();
    object.warnings().forEach(warning -> warnings.add(warning.toString()));
    warnings.addAll(entry.scoutNotes.warnings(object.generation(), entry.shownServed));
    return new ObjectReport(
        entry.object.key(),
        entry.object.generation(),
        entry.shownServed,
        List.copyOf(entry.shown.conditions().values()),
        poll.all(),
        poll.byClass(),
        resources,
        problems,
        warnings,
        entry.scoutNotes.notProbed(object.generation(), entry.shownServed),
        List.of(),
        entry.object.body().position().toString());
  }

  /** Where the fields that a resource came from are written, as far as they still are. */
  public Map<SourcePlace, String> locations(Resource resource) {
    Map<SourcePlace, String> locations = new HashMap<>();
    for (SourcePlace place : resource.provenance().places()) {
      ObjectEntry entry = entries.get(place.object());
      if (entry != null && entry.object.generation() == place.generation()) {
        locations.put(place, FieldPositions.ofName(entry.object.body(), place.field()).toString());
      }
    }
    return locations;
  }

  /** The difference between the served and the newest generation of an object. */
  public List<String> diff(ObjectKey key, RolloutManager rollouts) {
    ObjectEntry entry = entries.get(key);
    return entry == null
        ? List.of()
        : SpecDiff.of(rollouts.common().servedObject(key), entry.object);
  }

  /** The number of objects of each kind. */
  public Map<String, Integer> countByKind() {
    Map<String, Integer> counts = new TreeMap<>();
    entries.keySet().forEach(key -> counts.merge(key.kind(), 1, Integer::sum));
    return counts;
  }

  /** The number of objects by the reason of their {@code Programmed} condition. */
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
