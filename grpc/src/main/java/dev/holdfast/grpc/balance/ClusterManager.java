// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;

import dev.holdfast.grpc.balance.cluster.ClusterPolicies;
import dev.holdfast.grpc.balance.cluster.Environment;
import dev.holdfast.grpc.balance.policy.ChildStates;
import dev.holdfast.grpc.balance.policy.Pickers;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.grpc.load.LoadReports;
import dev.holdfast.grpc.security.ClusterSecurity;
import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The balancer at the root of a channel: one child for each cluster that calls may be sent to.
 *
 * <p>A new configuration reaches those children whose cluster differs from before, and no others.
 * Calls find their child in a map that is replaced when clusters come and go; each child keeps its
 * own picker there. The channel is told once per batch of changes, so that it asks again for the
 * calls that wait.
 */
final class ClusterManager extends LoadBalancer {
  private final Helper helper;
  private final Environment environment;

  // All below: in the synchronization context.
  private final Map<String, ClusterChild> children = new HashMap<>();
  private final ChildStates states = new ChildStates();
  private final ClusterChanges changes = new ClusterChanges();
  private ClusterPolicies policies;
  private Map<String, StatusOr<ClusterConfig>> clusters = Map.of();
  private ClusterPicker picker = new ClusterPicker(Map.of());
  private boolean configured;
  private boolean publishing;
  private boolean shutDown;

  ClusterManager(Helper helper, Environment environment) {
    this.helper = helper;
    this.environment = environment;
    policies = new ClusterPolicies(environment);
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    XdsConfig config = resolved.getAttributes().get(XdsConfig.KEY);
    if (config == null) {
      Status error =
          Status.UNAVAILABLE.withDescription(
              ClusterManagerProvider.POLICY_NAME
                  + ": no xDS configuration (expected: a target that the xds name resolver of"
                  + " Holdfast resolves)");
      handleNameResolutionError(error);
      return error;
    }
    if (!configured) {
      // What a resolver says of these, it says from the beginning.
      ClusterSecurity security = resolved.getAttributes().get(ClusterSecurity.KEY);
      LoadReports loads = resolved.getAttributes().get(LoadReports.KEY);
      policies =
          new ClusterPolicies(
              environment
                  .with(security == null ? environment.security() : security)
                  .with(loads == null ? environment.loads() : loads));
    }
    configured = true;
    publishing = true;
    boolean hadAggregates = changes.hasAggregates();
    Map<String, StatusOr<ClusterConfig>> before = clusters;
    clusters = config.clusters();
    List<ClusterChild> removed = new ArrayList<>();
    List<ClusterChild> added = new ArrayList<>();
    for (String name : changes.next(clusters)) {
      ClusterChild child = children.get(name);
      if (!clusters.containsKey(name)) {
        children.remove(name);
        removed.add(Objects.requireNonNull(child, name));
      } else if (child == null) {
        child = new ClusterChild(helper, this);
        children.put(name, child);
        added.add(child);
        child.update(policies.of(name, clusters));
      } else if (!ClusterPolicies.unchanged(name, before, clusters)) {
        child.update(policies.of(name, clusters));
      }
    }
    if (hadAggregates || changes.hasAggregates()) {
      wakeAllBut(DormantClusters.of(config));
    } else {
      added.forEach(ClusterChild::wake);
    }
    if (!added.isEmpty() || !removed.isEmpty()) {
      picker = new ClusterPicker(children);
    }
    removed.forEach(ClusterChild::leave);
    publish();
    // After the picker that still names them is gone.
    removed.forEach(ClusterChild::shutdown);
    return Status.OK;
  }

  private void wakeAllBut(Set<String> dormant) {
    children.forEach(
        (name, child) -> {
          if (!dormant.contains(name)) {
            child.wake();
          }
        });
  }

  /** A child that is awake has gone from one state to another, or has another picker. */
  void changed(ConnectivityState before, ConnectivityState after) {
    states.remove(before);
    states.add(after);
    publishSoon();
  }

  void woken(ConnectivityState state) {
    states.add(state);
  }

  void gone(ConnectivityState state) {
    states.remove(state);
  }

  /** At the end of the batch of events that this is part of. */
  private void publishSoon() {
    if (!publishing) {
      publishing = true;
      helper.getSynchronizationContext().execute(this::publish);
    }
  }

  private void publish() {
    publishing = false;
    if (!shutDown) {
      helper.updateBalancingState(states.aggregate(), picker);
    }
  }

  /** Without a configuration, calls fail; with one, it stays in force. */
  @Override
  public void handleNameResolutionError(Status error) {
    if (!configured) {
      // Whatever went wrong, to a call it means that the service cannot be reached (gRFC A54).
      Status unavailable =
          Status.UNAVAILABLE.withDescription(error.getDescription()).withCause(error.getCause());
      helper.updateBalancingState(TRANSIENT_FAILURE, Pickers.failing(unavailable));
    }
  }

  @Override
  public void requestConnection() {
    List.copyOf(children.values()).forEach(ClusterChild::requestConnection);
  }

  @Override
  public void shutdown() {
    shutDown = true;
    children.values().forEach(ClusterChild::shutdown);
    children.clear();
  }
}
