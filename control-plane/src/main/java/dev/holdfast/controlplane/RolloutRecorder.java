// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Rejection;
import dev.holdfast.controlplane.ledger.EventLog;
import dev.holdfast.controlplane.ledger.InternalErrors;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxy;
import dev.holdfast.controlplane.rollout.proxyclass.FleetRolloutObserver;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.trial.StoredLoss;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.status.HoldText;
import dev.holdfast.controlplane.status.StatusBoard;
import dev.holdfast.controlplane.trace.ChangeTraces;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the results of rollouts durable. Evidence is stored as a rejection by a whole class (with
 * an empty node id) whose version is the digest of the rejected part.
 */
final class RolloutRecorder implements FleetRolloutObserver {
  /** Stands between the agent and the node, in evidence that one proxy alone gave. */
  private static final String JUDGED_BY = "; judged by ";

  private static final HistoryEntry.Kind DIVERGED = new HistoryEntry.Kind("PROXY_DIVERGED");
  private static final HistoryEntry.Kind UNDONE = new HistoryEntry.Kind("COMMIT_UNDONE");
  private static final HistoryEntry.Kind SEPARATED = new HistoryEntry.Kind("CLASS_SEPARATED");
  private static final HistoryEntry.Kind REJOINED = new HistoryEntry.Kind("CLASS_REJOINED");

  private final TimeSource time;
  private final Journal journal;
  private final EventLog events;
  private final StatusBoard board;
  private final StatusScheduler statusScheduler;
  private final InternalErrors errors;
  private final RolloutLog log;
  private final ChangeTraces traces;

  RolloutRecorder(
      TimeSource time,
      Journal journal,
      EventLog events,
      StatusBoard board,
      StatusScheduler statusScheduler,
      InternalErrors errors,
      RolloutLog log,
      ChangeTraces traces) {
    this.errors = errors;
    this.board = board;
    this.log = log;
    this.traces = traces;
    this.time = time;
    this.journal = journal;
    this.events = events;
    this.statusScheduler = statusScheduler;
  }

  @Override
  public void internalError(String what, Throwable error) {
    errors.add(what, error);
  }

  @Override
  public void trying(Collection<ConfigObject> objects, Collection<String> canaries) {
    log.trying(objects, canaries);
    traces.trying(objects, canaries);
  }

  @Override
  public void committed(Collection<ConfigObject> objects) {
    log.accepted(objects);
    traces.committed(objects);
    for (ConfigObject object : objects) {
      journal.edit(state -> state.putAccepted(AcceptedSpec.of(object)));
    }
    if (traces.isOn()) {
      List<ConfigObject> written = List.copyOf(objects);
      journal.whenDurable(() -> traces.durable(written));
    }
  }

  @Override
  public void replaced(ObjectKey key, @Nullable ConfigObject before) {
    AcceptedSpec spec = before == null ? null : AcceptedSpec.of(before);
    journal.edit(state -> state.putByClass(new ClassSpec(REPLACED, key, spec)));
  }

  @Override
  public void settled(Collection<ObjectKey> keys) {
    for (ObjectKey key : keys) {
      journal.edit(state -> state.removeByClass(new ClassSpec.Key(REPLACED, key)));
    }
  }

  @Override
  public void undone(Collection<ObjectKey> keys, Verdict.Refused refused) {
    String what = "most proxies of class " + refused.proxyClass() + " reject what was accepted";
    log.undone(keys, refused, what);
    for (ObjectKey key : keys) {
      record(
          HistoryEntry.of(time.now(), UNDONE)
              .withObject(key, 0)
              .withResource(refused.resource().id().toString())
              .withMessage(what));
    }
  }

  @Override
  public void dropped(ObjectKey key) {
    journal.edit(state -> state.removeAccepted(key));
    statusScheduler.schedule(key);
  }

  @Override
  public void whenDurable(Runnable task) {
    journal.whenDurable(task);
  }

  @Override
  public void held(Hold hold) {
    log.held(hold);
    if (traces.isOn()) {
      traces.held(
          hold.key(),
          hold.generation(),
          hold.served(),
          HoldText.reason(hold),
          HoldText.message(hold));
    }
    Evidence evidence = hold.evidence();
    if (evidence != null && hold.reason().isProven() && !evidence.isDisputed()) {
      journal.edit(state -> state.putRejection(rejection(evidence)));
    }
  }

  @Override
  public void evidenceForgotten(Evidence evidence) {
    journal.edit(state -> state.removeRejection(rejection(evidence).key()));
  }

  @Override
  public void canaryLost(StoredLoss loss) {
    log.canaryLost(loss);
    journal.edit(state -> state.putRejection(LossText.rejection(loss)));
  }

  @Override
  public void lossForgotten(StoredLoss.Key loss) {
    journal.edit(state -> state.removeRejection(LossText.key(loss)));
  }

  @Override
  public void released(ObjectKey key) {
    log.released(key);
    statusScheduler.schedule(key);
  }

  @Override
  public void affected(ObjectKey key) {
    statusScheduler.schedule(key);
  }

  @Override
  public void incident(Incident incident) {
    log.incident(incident);
    traces.incident(incident.id(), incident.took() != null);
    Duration took = incident.took();
    if (took != null) {
      HistoryEntry entry = IncidentHistory.entry(incident, took, time.now());
      journal.edit(state -> state.append(entry));
    }
  }

  @Override
  public void seen(String proxyClass, Instant at) {
    journal.edit(state -> state.putClass(proxyClass, at));
  }

  @Override
  public void forgotten(String proxyClass) {
    journal.edit(state -> state.removeClass(proxyClass));
  }

  @Override
  public void differs(String proxyClass, ObjectKey key, @Nullable ConfigObject served) {
    AcceptedSpec spec = served == null ? null : AcceptedSpec.of(served);
    journal.edit(state -> state.putByClass(new ClassSpec(proxyClass, key, spec)));
  }

  @Override
  public void agrees(String proxyClass, ObjectKey key) {
    journal.edit(state -> state.removeByClass(new ClassSpec.Key(proxyClass, key)));
  }

  @Override
  public void diverged(DivergedProxy proxy) {
    log.diverged(proxy);
    record(
        HistoryEntry.of(time.now(), DIVERGED)
            .withProxy(proxy.node())
            .withResource(proxy.resource().toString())
            .withMessage(
                "other proxies of class "
                    + proxy.proxyClass()
                    + (proxy.accepts() ? " reject this: " : " run this: ")
                    + proxy.message()));
    statusScheduler.scheduleAll();
  }

  @Override
  public void classesChanged() {
    statusScheduler.scheduleAll();
  }

  @Override
  public void separated(String proxyClass, String reason) {
    log.separated(proxyClass, reason);
    record(
        HistoryEntry.of(time.now(), SEPARATED).withMessage("class " + proxyClass + " " + reason));
    statusScheduler.scheduleAll();
  }

  @Override
  public void scouted(String proxyClass, boolean isFirst) {
    log.scouted(proxyClass, isFirst);
  }

  @Override
  public void probed(String node, ScoutProbe.Asked result) {
    result.findings().forEach(finding -> log.probed(node, finding));
    result
        .about()
        .forEach(
            key -> {
              if (board.probed(key, node, result.findings())) {
                statusScheduler.schedule(key);
              }
            });
  }

  @Override
  public void unprobed(String node, String reason) {
    log.unprobed(node, reason);
  }

  @Override
  public void rejoined(String proxyClass) {
    log.rejoined(proxyClass);
    record(HistoryEntry.of(time.now(), REJOINED).withMessage("class " + proxyClass));
    statusScheduler.scheduleAll();
  }

  private void record(HistoryEntry entry) {
    journal.edit(state -> state.append(entry));
    journal.whenDurable(() -> events.publish(entry));
  }

  static Rejection rejection(Evidence evidence) {
    return new Rejection(
        evidence.proxyClass(),
        "",
        evidence.resource().type().typeUrl(),
        evidence.resource().name(),
        evidence.part(),
        evidence.agent() + judgedBy(evidence) + "\n" + evidence.message(),
        evidence.at());
  }

  private static String judgedBy(Evidence evidence) {
    return evidence.judges().isEmpty() ? "" : JUDGED_BY + evidence.judges().get(0);
  }

  static boolean isEvidence(Rejection rejection) {
    return rejection.nodeId().isEmpty();
  }

  static Evidence evidence(Rejection rejection, ResourceId id) {
    int end = rejection.message().indexOf('\n');
    String agent = end < 0 ? rejection.proxyClass() : rejection.message().substring(0, end);
    int judge = agent.indexOf(JUDGED_BY);
    return new Evidence(
        rejection.proxyClass(),
        judge < 0 ? agent : agent.substring(0, judge),
        id,
        rejection.version(),
        rejection.message().substring(end + 1),
        rejection.at(),
        judge < 0 ? List.of() : List.of(agent.substring(judge + JUDGED_BY.length())));
  }
}
