// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.Validator.Stage;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * CDS and all clusters. Good clusters of a response are taken whatever the others are, removals
 * happen either way. Once the first clusters are all there, CDS itself is paused, and so its
 * answers are held back, while any cluster is warming.
 */
final class Clusters implements Subscription.Callbacks {
  final Mux mux;
  final Stats stats;
  final Providers providers;
  final List<Validator> validators;
  private final Set<String> staticNames;
  private final Runnable whenInitialised;

  private final Map<String, ClusterEntry> active = new TreeMap<>();
  private final Map<String, ClusterEntry> warming = new TreeMap<>();
  private final Map<String, ClusterLoadAssignment> assignments = new HashMap<>();
  private final List<ClusterEntry> first = new ArrayList<>();
  private boolean answered;
  private boolean initialised;
  private Mux.@Nullable Pause pause;

  Clusters(
      Mux mux, Stats stats, Providers providers, EnvoyOptions options, Runnable whenInitialised) {
    this.mux = mux;
    this.stats = stats;
    this.providers = providers;
    this.validators = options.validators();
    this.staticNames = options.staticNames();
    this.whenInitialised = whenInitialised;
  }

  void start(Duration timeout) {
    mux.subscribe(
        new Subscription(TypeUrls.CLUSTER, Set.of(), this, stats, "cluster_manager.cds."), timeout);
  }

  @Nullable ClusterEntry inForce(String name) {
    return active.get(name);
  }

  Set<String> activeNames() {
    return new TreeSet<>(active.keySet());
  }

  Set<String> warmingNames() {
    return new TreeSet<>(warming.keySet());
  }

  boolean isStatic(String name) {
    return staticNames.contains(name);
  }

  void cache(ClusterLoadAssignment assignment) {
    assignments.put(assignment.getClusterName(), assignment);
  }

  @Nullable ClusterLoadAssignment cached(String name) {
    return assignments.get(name);
  }

  @Override
  public void world(List<DecodedResource> all, String version) {
    Set<String> gone = new TreeSet<>(active.keySet());
    gone.addAll(warming.keySet());
    all.forEach(taken -> gone.remove(taken.name()));
    update(all, List.copyOf(gone), version);
  }

  @Override
  public void update(List<DecodedResource> added, List<String> removed, String version) {
    List<String> problems = new ArrayList<>();
    mux.whilePaused(
        () -> {
          Set<String> seen = new HashSet<>();
          added.forEach(taken -> take((Cluster) taken.message(), seen, problems));
          removed.forEach(this::remove);
        },
        TypeUrls.CLUSTER_LOAD_ASSIGNMENT,
        TypeUrls.SECRET);
    firstAnswer();
    if (!problems.isEmpty()) {
      throw new RejectedException(
          "Error adding/updating cluster(s) " + String.join(", ", problems));
    }
  }

  @Override
  public void failed(Subscription.Failure why) {
    firstAnswer();
  }

  private void take(Cluster cluster, Set<String> seen, List<String> problems) {
    try {
      if (!seen.add(cluster.getName())) {
        throw new RejectedException("duplicate cluster %s found".formatted(cluster.getName()));
      }
      addOrUpdate(cluster);
    } catch (RejectedException e) {
      problems.add(cluster.getName() + ": " + e.text());
    }
  }

  private void addOrUpdate(Cluster cluster) {
    String name = cluster.getName();
    ClusterEntry known = warming.containsKey(name) ? warming.get(name) : active.get(name);
    if (staticNames.contains(name) || (known != null && known.config.equals(cluster))) {
      return;
    }
    ClusterEntry entry = new ClusterEntry(cluster, this);
    ClusterEntry replaced = warming.put(name, entry);
    if (replaced != null) {
      first.remove(replaced);
      replaced.close();
    }
    // It is on the books by now, and stays there.
    Decoder.check(validators, Stage.LOAD_BALANCER, cluster);
    count();
    if (!initialised) {
      first.add(entry);
    }
    if (answered) { // before that, all wait for the end of the first answer
      entry.warm(() -> warm(entry));
    }
  }

  private void warm(ClusterEntry entry) {
    String name = entry.config.getName();
    if (warming.remove(name, entry)) {
      ClusterEntry old = active.put(name, entry);
      if (old != null) {
        old.close();
      }
      first.remove(entry);
      count();
      checkInitialised();
    }
  }

  private void remove(String name) {
    for (Map<String, ClusterEntry> entries : List.of(active, warming)) {
      ClusterEntry entry = entries.remove(name);
      if (entry != null) {
        entry.close();
        first.remove(entry);
      }
    }
    count();
  }

  /** CDS has been answered for the first time, well or badly or not at all. */
  private void firstAnswer() {
    if (!answered) {
      answered = true;
      mux.whilePaused(
          () -> List.copyOf(first).forEach(entry -> entry.warm(() -> warm(entry))),
          TypeUrls.CLUSTER_LOAD_ASSIGNMENT,
          TypeUrls.SECRET);
    }
    checkInitialised();
  }

  private void checkInitialised() {
    if (answered && first.isEmpty() && !initialised) {
      initialised = true;
      whenInitialised.run();
    }
  }

  private void count() {
    if (initialised && pause == null && !warming.isEmpty()) {
      pause = mux.pause(TypeUrls.CLUSTER);
    } else if (pause != null && warming.isEmpty()) {
      Mux.Pause over = pause;
      pause = null;
      over.close();
    }
    stats.set("cluster_manager.active_clusters", active.size() + staticNames.size());
    stats.set("cluster_manager.warming_clusters", warming.size());
  }
}
