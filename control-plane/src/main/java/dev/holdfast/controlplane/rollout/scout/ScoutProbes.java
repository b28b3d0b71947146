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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of probes: a scout has accepted a trial only when requests through it are answered
 * as they should be, or cannot tell. Loop only.
 */
final class ScoutProbes {
  /** Shorter than a scout may be silent. */
  private static final Duration WITHIN = Duration.ofMillis(3_500);

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

    /** Something was found, whatever follows from it. */
    void found(String node, ScoutProbe.Finding finding);

    /** A prober has failed. */
    void failed(Throwable error);
  }

  private static final class Run {
    final Snapshot tried;
    @Nullable List<ScoutProbe.Finding> findings;

    Run(Snapshot tried) {
      this.tried = tried;
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

  /**
   * What a scout makes of a trial that it has accepted.
   *
   * @param before what it is shown otherwise
   */
  @SuppressWarnings("ReferenceEquality") // a trial is shown as one snapshot
  Verdict verdict(ProxyFleet.Member scout, Snapshot before, Snapshot tried) {
    Run run = runs.get(scout.connection());
    if (run == null || run.tried != tried) {
      run = new Run(tried);
      runs.put(scout.connection(), run);
      begin(run, scout, before);
    }
    List<ScoutProbe.Finding> findings = run.findings;
    if (findings == null) {
      return Verdict.OPEN;
    }
    for (ScoutProbe.Finding finding : findings) {
      Resource resource = tried.get(finding.resource());
      if (finding.weight() == ScoutProbe.Weight.HOLDS && resource != null) {
        return new Verdict.Refused(
            scout.proxyClass(), scout.node(), resource, Evidence.probed(finding.message()));
      }
    }
    return Verdict.ACCEPTED;
  }

  private void begin(Run run, ProxyFleet.Member scout, Snapshot before) {
    List<Resource> changed = new ArrayList<>();
    Snapshot.diff(
        before,
        run.tried,
        (id, was, is) -> {
          Resource now = run.tried.get(id);
          if (now != null && !changed.contains(now)) {
            changed.add(now);
          }
        });
    if (changed.isEmpty()) {
      run.findings = List.of();
      return;
    }
    time.schedule(WITHIN, () -> loop.execute(() -> end(run, scout, List.of(), null)));
    try {
      probe
          .probe(new ScoutProbe.Request(scout.node(), before, run.tried, changed, WITHIN))
          .whenComplete((findings, error) -> loop.execute(() -> end(run, scout, findings, error)));
    } catch (RuntimeException e) {
      end(run, scout, List.of(), e);
    }
  }

  private void end(
      Run run,
      ProxyFleet.Member scout,
      @Nullable List<ScoutProbe.Finding> findings,
      @Nullable Throwable error) {
    if (run.findings != null) {
      return; // it was not waited for
    }
    if (error != null) {
      listener.failed(error);
    }
    List<ScoutProbe.Finding> found = error != null || findings == null ? List.of() : findings;
    run.findings = List.copyOf(found);
    found.forEach(finding -> listener.found(scout.node(), finding));
    listener.answered();
  }
}
