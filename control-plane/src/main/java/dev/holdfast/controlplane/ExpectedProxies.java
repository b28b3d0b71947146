// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.ProblemReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares the connected proxies with those that an operator expects. Loop only. */
final class ExpectedProxies {
  /** A proxy that is restarted is back by then. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final TimeSource time;
  private SortedMap<String, Integer> expected = Collections.emptySortedMap();
  private final Map<String, Integer> connected = new HashMap<>();
  private final Map<String, Instant> missingSince = new HashMap<>();

  ExpectedProxies(TimeSource time) {
    this.time = time;
  }

  /**
   * @param fleets how many there should be, by the cluster of their nodes
   */
  void expect(SortedMap<String, Integer> fleets) {
    expected = Collections.unmodifiableSortedMap(new TreeMap<>(fleets));
    count(List.of());
  }

  /** Whether anybody expects any. */
  boolean any() {
    return !expected.isEmpty();
  }

  /**
   * @param clusters those of all connected proxies that serve requests
   */
  void count(Collection<String> clusters) {
    connected.clear();
    for (String cluster : clusters) {
      if (expected.containsKey(cluster)) { // others may be any number
        connected.merge(cluster, 1, Integer::sum);
      }
    }
    if (expected.containsKey(FleetReport.ALL)) {
      connected.put(FleetReport.ALL, clusters.size());
    }
    expected.forEach(
        (fleet, number) -> {
          if (connected(fleet) >= number) {
            missingSince.remove(fleet);
          } else {
            missingSince.putIfAbsent(fleet, time.now());
          }
        });
  }

  private int connected(String fleet) {
    return connected.getOrDefault(fleet, 0);
  }

  List<FleetReport> reports() {
    List<FleetReport> reports = new ArrayList<>();
    expected.forEach(
        (fleet, number) ->
            reports.add(new FleetReport(fleet, number, connected(fleet), missingSince.get(fleet))));
    return reports;
  }

  /** The fleets that have been too small for longer than a restart takes. */
  List<ProblemReport> problems() {
    List<ProblemReport> problems = new ArrayList<>();
    for (FleetReport fleet : reports()) {
      @Nullable Instant since = fleet.missingSince();
      if (since != null && Duration.between(since, time.now()).compareTo(PATIENCE) >= 0) {
        problems.add(
            ProblemReport.warningOfProxy(ProblemReport.PROXIES_MISSING, "", words(fleet), since));
      }
    }
    return problems;
  }

  private static String words(FleetReport fleet) {
    return (fleet.name().equals(FleetReport.ALL) ? "" : "fleet " + fleet.name() + ": ")
        + fleet.connected()
        + " of "
        + fleet.expected()
        + " expected proxies are connected";
  }
}
