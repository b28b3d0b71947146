// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.host.ClusterDemand;
import dev.holdfast.controlplane.translate.host.FilterUse;
import dev.holdfast.controlplane.translate.host.HostPlanner;
import dev.holdfast.controlplane.translate.host.SecretDemand;
import dev.holdfast.controlplane.translate.index.IndexChange;

/** All stages of a translation in order: each passes its demands to the later ones. */
public final class Stages {
  private final CheckStage checks;
  private final HostStage hosts;
  private final ClusterStage clusters;
  private final EndpointStage endpoints;
  private final SecretStage secrets;
  private final ExtensionStage extensions;

  /** The stages without objects. */
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

  /** How many values of each stage were derived in the last step. */
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

  /** Derives everything that is affected by a change. */
  public Stages with(
      StageInput input, IndexChange change, HostPlanner planner, ClusterBuilder clusterBuilder) {
    Demand<String, ClusterDemand> clusterDemand = new Demand<>(clusters.demanded());
    Demand<ResourceId, EndpointStage.EndpointDemand> endpointDemand =
        new Demand<>(endpoints.demanded());
    Demand<SecretDemand, Boolean> secretDemand = new Demand<>(secrets.demanded());
    Demand<FilterUse, Boolean> filterDemand = new Demand<>(extensions.demanded());
    Demands hostDemands = new Demands(clusterDemand, secretDemand, filterDemand);
    return new Stages(
        checks.with(input, change.changedObjects()),
        hosts.with(input, change.changedHosts(), planner, hostDemands),
        clusters.with(input, clusterDemand, clusterBuilder, endpointDemand, secretDemand),
        endpoints.with(input, endpointDemand),
        secrets.with(input, secretDemand),
        extensions.with(input, filterDemand));
  }

  /** Whether an object is part of any host, as its root or included. */
  public boolean isPartOfHost(ObjectKey key) {
    return !hosts.memberships().get(key).isEmpty();
  }
}
