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
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxy;
import dev.holdfast.controlplane.rollout.proxyclass.FleetRolloutObserver;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.status.HoldText;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the results of rollouts durable. Evidence is stored as a rejection by a whole class (with
 * an empty node id) whose version is the digest of the rejected part.
 */
final class RolloutRecorder implements FleetRolloutObserver {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutRecorder.class);
  private static final HistoryEntry.Kind DIVERGED = new HistoryEntry.Kind("PROXY_DIVERGED");
  private static final HistoryEntry.Kind SEPARATED = new HistoryEntry.Kind("CLASS_SEPARATED");
  private static final HistoryEntry.Kind REJOINED = new HistoryEntry.Kind("CLASS_REJOINED");

  private final TimeSource time;
  private final Journal journal;
  private final EventLog events;
  private final StatusScheduler statusScheduler;

  RolloutRecorder(
      TimeSource time, Journal journal, EventLog events, StatusScheduler statusScheduler) {
    this.time = time;
    this.journal = journal;
    this.events = events;
    this.statusScheduler = statusScheduler;
  }

  @Override
  public void committed(Collection<ConfigObject> objects) {
    for (ConfigObject object : objects) {
      journal.edit(state -> state.putAccepted(AcceptedSpec.of(object)));
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
    LOG.warn(
        "{} generation {} is held ({}), serving {}: {}",
        hold.key(),
        hold.generation(),
        HoldText.reason(hold),
        hold.served() == 0 ? "nothing" : "generation " + hold.served(),
        HoldText.message(hold));
    Evidence evidence = hold.evidence();
    if (evidence != null && hold.reason().isProven()) {
      journal.edit(state -> state.putRejection(rejection(evidence)));
    }
  }

  @Override
  public void released(ObjectKey key) {
    LOG.info("{} is no longer held", key);
    statusScheduler.schedule(key);
  }

  @Override
  public void affected(ObjectKey key) {
    statusScheduler.schedule(key);
  }

  @Override
  public void incident(Incident incident) {
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
    LOG.warn(
        "{} rejects a configuration that other proxies of class {} run, {}: {}",
        proxy.node(),
        proxy.proxyClass(),
        proxy.resource(),
        proxy.message());
    record(
        HistoryEntry.of(time.now(), DIVERGED)
            .withProxy(proxy.node())
            .withResource(proxy.resource().toString())
            .withMessage(
                "other proxies of class " + proxy.proxyClass() + " run this: " + proxy.message()));
    statusScheduler.scheduleAll();
  }

  @Override
  public void separated(String proxyClass, String reason) {
    LOG.warn("class {} now has its own selection: it {}", proxyClass, reason);
    record(
        HistoryEntry.of(time.now(), SEPARATED).withMessage("class " + proxyClass + " " + reason));
    statusScheduler.scheduleAll();
  }

  @Override
  public void rejoined(String proxyClass) {
    LOG.info("class {} is back on the common selection", proxyClass);
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
        evidence.agent() + "\n" + evidence.message(),
        evidence.at());
  }

  static boolean isEvidence(Rejection rejection) {
    return rejection.nodeId().isEmpty();
  }

  static Evidence evidence(Rejection rejection, ResourceId id) {
    int end = rejection.message().indexOf('\n');
    return new Evidence(
        rejection.proxyClass(),
        end < 0 ? rejection.proxyClass() : rejection.message().substring(0, end),
        id,
        rejection.version(),
        rejection.message().substring(end + 1),
        rejection.at());
  }
}
