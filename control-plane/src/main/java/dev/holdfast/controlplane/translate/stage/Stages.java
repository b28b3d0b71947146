// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.host.ClusterDemand;
import dev.holdfast.controlplane.translate.host.FilterUse;
import dev.holdfast.controlplane.translate.host.HostPlanner;
import dev.holdfast.controlplane.translate.host.SecretDemand;
import dev.holdfast.controlplane.translate.index.IndexChange;

/** All stages, in order: each asks the next for what it needs. */
public final class Stages {
  private final CheckStage checks;
  private final HostStage hosts;
  private final ClusterStage clusters;
  private final EndpointStage endpoints;
  private final SecretStage secrets;
  private final ExtensionStage extensions;

  /** Nothing is derived. */
  public static final Stages EMPTY =
      new Stages(
          CheckStage.EMPTY,
          HostStage.EMPTY,
          ClusterStage.EMPTY,
          EndpointStage.EMPTY,
          SecretStage.EMPTY,
          ExtensionStage.EMPTY);

  private Stages(
      CheckStage checks,
      HostStage hosts,
      ClusterStage clusters,
      EndpointStage endpoints,
      SecretStage secrets,
      ExtensionStage extensions) {
    this.checks = checks;
    this.hosts = hosts;
    this.clusters = clusters;
    this.endpoints = endpoints;
    this.secrets = secrets;
    this.extensions = extensions;
  }

  /** How many things of each sort were derived in the turn that made this. */
  public record Work(int checks, int hosts, int clusters, int endpoints, int secrets) {}

  public CheckStage checks() {
    return checks;
  }

  public HostStage hosts() {
    return hosts;
  }

  public ExtensionStage extensions() {
    return extensions;
  }

  public Work work() {
    return new Work(checks.work(), hosts.work(), clusters.work(), endpoints.work(), secrets.work());
  }

  /** Derives what has news. */
  public Stages with(
      StageInput turn, IndexChange change, HostPlanner planner, ClusterBuilder maker) {
    Demand<String, ClusterDemand> forClusters = new Demand<>(clusters.asked());
    Demand<ResourceId, EndpointStage.Wanted> forEndpoints = new Demand<>(endpoints.asked());
    Demand<SecretDemand, Boolean> forSecrets = new Demand<>(secrets.asked());
    Demand<FilterUse, Boolean> forFilters = new Demand<>(extensions.asked());
    Demands ofHosts = new Demands(forClusters, forSecrets, forFilters);
    return new Stages(
        checks.with(turn, change.objects()),
        hosts.with(turn, change.hosts(), planner, ofHosts),
        clusters.with(turn, forClusters, maker, forEndpoints, forSecrets),
        endpoints.with(turn, forEndpoints),
        secrets.with(turn, forSecrets),
        extensions.with(turn, forFilters));
  }

  /** Whether any host includes an object, or is it. */
  public boolean isVisited(ObjectKey key) {
    return !hosts.visits().get(key).isEmpty();
  }
}
