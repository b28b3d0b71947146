// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.scout;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of probes: a scout has accepted a trial only when requests through it are answered
 * as they should be, or cannot tell. If none can be sent just now, such as by a busy machine, they
 * are tried again for a while: a change passes unprobed only after that, which is told. Loop only.
 */
final class ScoutProbes {
  /** For the requests of one trial. */
  private static final Duration WITHIN = Duration.ofMillis(2_500);

  /** A scout that could not be asked by then counts as one that is not there. */
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private static final Duration PAUSE = Duration.ofMillis(200);

  private final ScoutProbe probe;
  private final TimeSource time;
  private final Loop loop;
  private final FleetListener listener;

  /** By connection, what each scout was last probed with. */
  private final Map<Long, Run> runs = new HashMap<>();

  /** Is told what probes find. */
  interface FleetListener {
    /** A probe has been answered, or is not waited for any more. */
    void answered();

    /** A scout was sent requests. Findings are told whatever follows from them. */
    void probed(String node, ScoutProbe.Asked result);

    /** A trial goes on without having been probed. */
    void unprobed(String node, String reason);

    /** A prober ends a scout, which was probed through this connection. */
    void ending(ProxyFleet.Member scout);

    /** A prober has failed. */
    void failed(Throwable error);
  }

  private static final class Run {
    final ProxyFleet.Member scout;
    final Snapshot tried;
    final ScoutProbe.Request request;
    String lastReason = "the prober does not answer";
    @Nullable List<ScoutProbe.Finding> findings;

    Run(ProxyFleet.Member scout, Snapshot tried, ScoutProbe.Request request) {
      this.scout = scout;
      this.tried = tried;
      this.request = request;
    }
  }

  ScoutProbes(ScoutProbe probe, TimeSource time, Loop loop, FleetListener listener) {
    this.probe = probe;
    this.time = time;
    this.loop = loop;
    this.listener = listener;
  }

  /** These scouts are connected; no others. */
  void retain(Collection<Long> connections) {
    runs.keySet().retainAll(connections);
  }

  /** How the process of a scout ended that was gone at about some time; null if unknown. */
  ScoutProbe.@Nullable ProcessEnd end(String node, Instant at) {
    return probe.end(node, at);
  }

  /** Whether somebody is asked just now. */
  boolean isBusy() {
    return runs.values().stream().anyMatch(run -> run.findings == null);
  }

  /**
   * What a scout makes of a trial that it has accepted.
   *
   * @param before what it is shown otherwise
   */
  @SuppressWarnings("ReferenceEquality") // a trial is shown as one snapshot
  Verdict verdict(ProxyFleet.Member scout, Snapshot before, Snapshot tried) {
    Run run = runs.get(scout.connection());
    if (run == null || run.tried != tried) {
      run = begin(scout, before, tried);
    }
    List<ScoutProbe.Finding> findings = run.findings;
    if (findings == null) {
      return Verdict.PROBED;
    }
    for (ScoutProbe.Finding finding : findings) {
      Resource resource = tried.get(finding.resource());
      if (finding.weight() == ScoutProbe.Weight.HOLDS && resource != null) {
        return new Verdict.Refused(
            scout.proxyClass(), scout.node(), resource, Evidence.probed(finding.text()));
      }
    }
    return Verdict.ACCEPTED;
  }

  private Run begin(ProxyFleet.Member scout, Snapshot before, Snapshot tried) {
    List<Resource> changed = new ArrayList<>();
    Snapshot.diff(
        before,
        tried,
        (id, was, is) -> {
          Resource now = tried.get(id);
          if (now != null && !changed.contains(now)) {
            changed.add(now);
          }
        });
    Run run =
        new Run(scout, tried, new ScoutProbe.Request(scout.node(), before, tried, changed, WITHIN));
    runs.put(scout.connection(), run);
    if (changed.isEmpty()) {
      run.findings = List.of();
      return run;
    }
    time.schedule(LONGEST, () -> loop.execute(() -> giveUp(run)));
    ask(run);
    return run;
  }

  private void ask(Run run) {
    if (!isOpen(run)) {
      return;
    }
    try {
      probe
          .probe(run.request)
          .whenComplete((result, error) -> loop.execute(() -> answered(run, result, error)));
    } catch (RuntimeException e) {
      answered(run, null, e);
    }
  }

  private void answered(Run run, ScoutProbe.@Nullable Result result, @Nullable Throwable error) {
    if (!isOpen(run)) {
      return;
    }
    if (result instanceof ScoutProbe.Asked asked) {
      if (asked.endsScout()) {
        listener.ending(run.scout);
      }
      listener.probed(run.scout.node(), asked);
      end(run, asked.findings());
    } else if (result instanceof ScoutProbe.NotAsked notAsked) {
      run.lastReason = notAsked.reason();
      time.schedule(PAUSE, () -> loop.execute(() -> ask(run)));
    } else {
      listener.failed(error == null ? new IllegalStateException("a prober gave nothing") : error);
      end(run, List.of());
    }
  }

  /** Whether somebody still waits for it: the scout is connected, and tries the same. */
  @SuppressWarnings("ReferenceEquality") // one of several for the same scout
  private boolean isOpen(Run run) {
    return run.findings == null && runs.get(run.scout.connection()) == run;
  }

  private void giveUp(Run run) {
    if (isOpen(run)) {
      listener.unprobed(run.scout.node(), run.lastReason);
      end(run, List.of());
    }
  }

  private void end(Run run, List<ScoutProbe.Finding> findings) {
    run.findings = findings;
    listener.answered();
  }
}
