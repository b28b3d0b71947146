// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.log.LimitedLog;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxy;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.trial.StoredLoss;
import dev.holdfast.controlplane.status.ErrorText;
import dev.holdfast.controlplane.status.HoldText;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * The lines about rollouts. Those about changes that are tried and accepted are limited: they come
 * with each edit. Those about what goes wrong are not.
 */
final class RolloutLog {
  private static final int MOST_NAMES = 3;

  private final LimitedLog limited;

  /**
   * @param loop runs what is due at the end of a minute
   */
  RolloutLog(TimeSource time, Executor loop) {
    this.limited = new LimitedLog(time, loop, LogLine::log);
  }

  void close() {
    limited.close();
  }

  void trying(Collection<ConfigObject> objects, Collection<String> canaries) {
    List<String> nodes = canaries.stream().map(LimitedLog::name).sorted().toList();
    limited.log(
        "trials",
        () ->
            LogArea.ROLLOUT
                .debug("trial-started")
                .with("changes", objects.size())
                .with("canaries", String.join(",", nodes))
                .text("trying " + generations(objects) + " on " + few(nodes)));
  }

  void accepted(Collection<ConfigObject> objects) {
    if (objects.isEmpty()) {
      return;
    }
    limited.log(
        "accepted changes",
        () -> {
          LogLine line = LogArea.ROLLOUT.info("accepted").with("changes", objects.size());
          if (objects.size() == 1) {
            ConfigObject object = objects.iterator().next();
            line = line.object(object.key(), object.generation());
          }
          return line.text(
              generations(objects) + (objects.size() == 1 ? " is" : " are") + " in force");
        });
  }

  void undone(Collection<ObjectKey> keys, Verdict.Refused refused, String what) {
    LogArea.ROLLOUT
        .warn("commit-undone")
        .with(LogLine.CLASS, refused.proxyClass())
        .with(LogLine.RESOURCE, refused.resource().id().toString())
        .with("changes", keys.size())
        .log(what + ", " + refused.resource().id() + ": " + names(keys) + " tried again");
  }

  void held(Hold hold) {
    LogArea.OBJECTS
        .warn("held")
        .object(hold.key(), hold.generation())
        .with("servedGeneration", hold.served())
        .with(LogLine.REASON, HoldText.reason(hold))
        .log(
            hold.key()
                + " generation "
                + hold.generation()
                + " is held ("
                + HoldText.reason(hold)
                + "), serving "
                + (hold.served() == 0 ? "nothing" : "generation " + hold.served())
                + ": "
                + HoldText.message(hold));
  }

  void released(ObjectKey key) {
    LogArea.OBJECTS.info("released").object(key).log(key + " is no longer held");
  }

  void canaryLost(StoredLoss loss) {
    LogArea.PROXIES
        .warn("lost")
        .node(loss.key().node(), loss.key().proxyClass())
        .with("changes", loss.shown().size())
        .log(
            LimitedLog.name(loss.key().node())
                + (loss.isSilent() ? " has not answered for " : " left ")
                + loss.after().toMillis()
                + " ms after it was shown "
                + names(loss.shown().keySet())
                + (loss.isSilent() ? "" : ", and had not answered"));
  }

  void incident(Incident incident) {
    if (incident.took() == null) {
      line(LogArea.ROLLOUT.warn("incident-started"), incident)
          .log(
              "incident "
                  + incident.id()
                  + ": a proxy of class "
                  + LimitedLog.name(incident.proxyClass())
                  + " refuses "
                  + incident.resource()
                  + " with "
                  + incident.changes()
                  + (incident.changes() == 1 ? " change: " : " changes: ")
                  + incident.message());
      return;
    }
    List<ObjectKey> offenders = incident.offendingObjects();
    LogLine line =
        line(LogArea.ROLLOUT.warn("incident-ended"), incident)
            .with("pushes", incident.pushes())
            .with("millis", incident.took().toMillis())
            .with(
                "offenders",
                offenders.stream().map(ObjectKey::toString).collect(Collectors.joining(",")));
    line.log(
        "incident "
            + incident.id()
            + " is over after "
            + incident.took().toMillis()
            + " ms and "
            + incident.pushes()
            + " more trials: "
            + (offenders.isEmpty() ? "no object was found to be the cause" : names(offenders)));
  }

  private static LogLine line(LogLine line, Incident incident) {
    return line.with(LogLine.INCIDENT, incident.id())
        .with(LogLine.CLASS, incident.proxyClass())
        .with(LogLine.RESOURCE, incident.resource().toString());
  }

  void diverged(DivergedProxy proxy) {
    LogArea.PROXIES
        .warn("diverged")
        .node(proxy.node(), proxy.proxyClass())
        .with(LogLine.RESOURCE, proxy.resource().toString())
        .log(
            LimitedLog.name(proxy.node())
                + (proxy.accepts() ? " accepts" : " rejects")
                + " a configuration that other proxies of class "
                + LimitedLog.name(proxy.proxyClass())
                + (proxy.accepts() ? " reject, " : " run, ")
                + proxy.resource()
                + ": "
                + proxy.message());
  }

  void separated(String proxyClass, String reason) {
    LogArea.ROLLOUT
        .warn("class-separated")
        .with(LogLine.CLASS, proxyClass)
        .log("class " + LimitedLog.name(proxyClass) + " now has its own selection: it " + reason);
  }

  void scouted(String proxyClass, boolean isFirst) {
    String name = LimitedLog.name(proxyClass);
    if (isFirst) {
      LogArea.ROLLOUT
          .info("scout-first")
          .with(LogLine.CLASS, proxyClass)
          .log("a scout of class " + name + " tries every change first");
    } else {
      LogArea.ROLLOUT
          .warn("scout-missing")
          .with(LogLine.CLASS, proxyClass)
          .log("no scout of class " + name + " can be asked: a canary tries changes first");
    }
  }

  void probed(String node, ScoutProbe.Finding finding) {
    LogLine line =
        switch (finding.weight()) {
          case HOLDS, WARNS -> LogArea.ROLLOUT.warn("probe-failed");
          case NOT_PROBED -> LogArea.ROLLOUT.debug("not-probed");
        };
    line.with(LogLine.NODE, LimitedLog.name(node))
        .with(LogLine.RESOURCE, finding.resource().toString())
        .log(finding.object() + ": " + ErrorText.sanitise(finding.text()));
  }

  void unprobed(String node, String reason) {
    String name = LimitedLog.name(node);
    LogArea.ROLLOUT
        .warn("unprobed")
        .with(LogLine.NODE, name)
        .log(
            "a change goes on although no request could be sent through "
                + name
                + ": "
                + ErrorText.sanitise(reason));
  }

  void rejoined(String proxyClass) {
    LogArea.ROLLOUT
        .info("class-rejoined")
        .with(LogLine.CLASS, proxyClass)
        .log("class " + LimitedLog.name(proxyClass) + " is back on the common selection");
  }

  private static String generations(Collection<ConfigObject> objects) {
    return few(
        objects.stream()
            .limit(MOST_NAMES + 1L)
            .map(object -> object.key() + " generation " + object.generation())
            .toList(),
        objects.size());
  }

  private static String names(Collection<ObjectKey> keys) {
    return few(keys.stream().limit(MOST_NAMES + 1L).map(ObjectKey::toString).toList(), keys.size());
  }

  private static String few(List<String> names) {
    return few(names, names.size());
  }

  private static String few(List<String> names, int all) {
    if (all <= MOST_NAMES) {
      return String.join(", ", names);
    }
    return String.join(", ", names.subList(0, MOST_NAMES)) + " and " + (all - MOST_NAMES) + " more";
  }
}
