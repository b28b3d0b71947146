// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import com.google.protobuf.Message;
import dev.holdfast.testkit.Resources;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a control plane knows, changing at random, and what a channel should make of it: worked out
 * the simple way, from scratch.
 */
final class RandomWorld {
  private static final List<String> CLUSTERS = List.of("c0", "c1", "c2", "c3", "c4", "c5");

  private final SplittableRandom random;
  private boolean listener = true;
  private String routes = "r0";
  private final Map<String, List<String>> routed = new TreeMap<>();

  /** Under an aggregate; empty for a cluster with endpoints, absent for one that is missing. */
  private final Map<String, List<String>> clusters = new TreeMap<>();

  private final Map<String, Integer> ports = new TreeMap<>();

  RandomWorld(SplittableRandom random) {
    this.random = random;
    routed.put("r0", some());
    routed.put("r1", some());
    CLUSTERS.forEach(this::changeCluster);
    CLUSTERS.forEach(name -> ports.put(name, 1 + random.nextInt(9)));
  }

  private List<String> some() {
    Set<String> some = new LinkedHashSet<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      some.add(any());
    }
    return List.copyOf(some);
  }

  private String any() {
    return CLUSTERS.get(random.nextInt(CLUSTERS.size()));
  }

  private void changeCluster(String name) {
    switch (random.nextInt(5)) {
      case 0 -> clusters.remove(name);
      case 1, 2 -> clusters.put(name, some());
      default -> clusters.put(name, List.of());
    }
  }

  /** Changes one thing; returns which resource that was. */
  String change() {
    String cluster = any();
    switch (random.nextInt(8)) {
      case 0 -> {
        listener = !listener;
        return "LDS svc";
      }
      case 1 -> {
        routes = "r" + random.nextInt(2);
        return "LDS svc";
      }
      case 2, 3 -> {
        String name = "r" + random.nextInt(2);
        routed.put(name, some());
        return "RDS " + name;
      }
      case 4, 5 -> {
        changeCluster(cluster);
        return "CDS " + cluster;
      }
      case 6 -> {
        ports.remove(cluster);
        return "EDS " + cluster;
      }
      default -> {
        ports.put(cluster, 1 + random.nextInt(9));
        return "EDS " + cluster;
      }
    }
  }

  /** Tells a watcher what there is, or that there is nothing. */
  void tell(FakeXds xds, String resource) {
    String type = resource.substring(0, 3);
    String name = resource.substring(4);
    Message message = resource(type, name);
    if (message != null) {
      xds.send(type, name, message);
    } else {
      xds.fail(type, name, Status.Code.NOT_FOUND, "does not exist");
    }
  }

  private @Nullable Message resource(String type, String name) {
    switch (type) {
      case "LDS":
        return listener ? Resources.apiListener("svc", routes) : null;
      case "RDS":
        return Dependent.routesTo(
            name, routed.getOrDefault(name, List.of()).toArray(String[]::new));
      case "CDS":
        List<String> under = clusters.get(name);
        return under == null
            ? null
            : under.isEmpty()
                ? Resources.edsCluster(name)
                : Dependent.aggregate(name, under.toArray(String[]::new));
      default:
        Integer port = ports.get(name);
        return port == null ? null : Resources.endpoints(name, port);
    }
  }

  /** What a channel should know once everything is told: one line per cluster. */
  List<String> expected() {
    if (!listener) {
      return List.of("failure");
    }
    Set<String> lines = new TreeSet<>();
    for (String root : routed.getOrDefault(routes, List.of())) {
      lines.add(root + " " + describe(root));
      leaves(root).forEach(leaf -> lines.add(leaf + " " + describe(leaf)));
    }
    return List.copyOf(lines);
  }

  private String describe(String name) {
    List<String> under = clusters.get(name);
    if (under == null) {
      return "error";
    }
    if (under.isEmpty()) {
      Integer port = ports.get(name);
      return port == null ? "unreachable" : "port " + port;
    }
    List<String> leaves = leaves(name);
    return leaves.isEmpty() ? "error" : "leaves " + String.join(",", leaves);
  }

  private List<String> leaves(String name) {
    Set<String> leaves = new LinkedHashSet<>();
    if (!clusters.getOrDefault(name, List.of()).isEmpty()) {
      collect(name, leaves);
    }
    return new ArrayList<>(leaves);
  }

  private void collect(String name, Set<String> leaves) {
    List<String> under = clusters.getOrDefault(name, List.of());
    if (under.isEmpty()) {
      leaves.add(name);
    } else if (!reaches(under, name, new TreeSet<>())) {
      under.forEach(child -> collect(child, leaves));
    }
  }

  private boolean reaches(List<String> from, String goal, Set<String> seen) {
    for (String next : from) {
      if (next.equals(goal)) {
        return true;
      }
      if (seen.add(next) && reaches(clusters.getOrDefault(next, List.of()), goal, seen)) {
        return true;
      }
    }
    return false;
  }
}
