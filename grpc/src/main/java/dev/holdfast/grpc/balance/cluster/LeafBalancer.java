// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;

import dev.holdfast.grpc.balance.policy.Outstanding;
import dev.holdfast.grpc.balance.policy.Pickers;
import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.security.ConnectionSecurity;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.Discovery;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import dev.holdfast.xds.resources.endpoint.DropOverload;
import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.util.ForwardingLoadBalancerHelper;
import io.grpc.util.GracefulSwitchLoadBalancer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One cluster with endpoints. What changed decides what is done: another note, other drops or
 * another limit make another picker and reach nothing below; other endpoints reach the priorities
 * and localities that they are in; an error takes the place of the tree.
 */
final class LeafBalancer extends LoadBalancer {
  private final Helper helper;
  private final Environment environment;
  private final LeafPlanner planner;
  private final LeafSecurity security = new LeafSecurity();
  private final LeafLoads loads;

  // All below: in the synchronization context.
  private @Nullable ClusterConfig config;
  private @Nullable LeafSettings settings;
  private @Nullable LeafPlan plan;
  private LoadBalancer.@Nullable Factory factory;
  private @Nullable Tree tree;
  private ConnectivityState state = CONNECTING;
  private SubchannelPicker picker = Pickers.connecting("cluster: not connected yet");
  private boolean updating;

  LeafBalancer(Helper helper, Environment environment) {
    this.helper = helper;
    this.environment = environment;
    planner = new LeafPlanner(environment);
    loads = new LeafLoads(environment.loads());
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    ClusterConfig next =
        (ClusterConfig)
            Objects.requireNonNull(resolved.getLoadBalancingPolicyConfig(), "cluster config");
    updating = true;
    try {
      apply(next);
    } finally {
      updating = false;
    }
    publish();
    return Status.OK;
  }

  private void apply(ClusterConfig next) {
    ClusterConfig before = config;
    config = next;
    StatusOr<ClusterLoadAssignment> assignment = assignment(next);
    settings =
        settings(next, assignment.hasValue() ? assignment.getValue().dropOverloads() : List.of());
    if (before != null
        && same(before.cluster(), next.cluster())
        && sameResult(assignment(before), assignment)) {
      return;
    }
    ConnectionSecurity wanted =
        environment.security().of(next.cluster(), helper::getChannelCredentials);
    if (wanted instanceof ConnectionSecurity.Refused refused) {
      fail(refused.why());
      return;
    }
    security.use(name(), wanted instanceof ConnectionSecurity.Tls secured ? secured.tls() : null);
    if (!assignment.hasValue()) {
      fail("no usable endpoints: " + StatusText.of(assignment.getStatus()));
      return;
    }
    StatusOr<LeafPlan> planned = planner.plan(next.cluster(), assignment.getValue());
    if (planned.hasValue()) {
      grow(planned.getValue());
    } else {
      fail(StatusText.of(planned.getStatus()));
    }
  }

  private void grow(LeafPlan wanted) {
    Policy policy = security.secured(wanted.policy());
    if (wanted.equals(plan) && policy.factory().equals(factory)) {
      return;
    }
    plan = wanted;
    factory = policy.factory();
    if (tree == null) {
      tree = new Tree();
    }
    tree.balancer.acceptResolvedAddresses(policy.over(wanted.addresses()));
  }

  private void fail(String why) {
    cut();
    state = TRANSIENT_FAILURE;
    picker = Pickers.failing(Status.UNAVAILABLE.withDescription("cluster " + name() + ": " + why));
  }

  private void cut() {
    if (tree != null) {
      Tree old = tree;
      tree = null;
      plan = null;
      factory = null;
      old.balancer.shutdown();
    }
  }

  private LeafSettings settings(ClusterConfig next, List<DropOverload> drops) {
    Cluster cluster = next.cluster();
    LeafSettings before = settings;
    // The calls are counted together for as long as the cluster asks for the same endpoints.
    Outstanding calls = environment.breakers().callsOf(cluster.name(), service(cluster));
    return new LeafSettings(
        cluster.name(),
        new Note(next.note()),
        drops,
        cluster.maxRequests(),
        calls,
        before != null && before.cluster().equals(cluster.name())
            ? before.metric()
            : new DropMetric(helper, cluster.name()),
        loads.of(cluster));
  }

  private static String service(Cluster cluster) {
    return cluster
        .discovery()
        .<String>fold(
            Discovery.Eds::serviceName,
            Discovery.LogicalDns::hostAndPort,
            aggregate -> cluster.name());
  }

  private static StatusOr<ClusterLoadAssignment> assignment(ClusterConfig config) {
    return ((ClusterConfig.Endpoints) config.members()).assignment();
  }

  private String name() {
    return config == null ? "" : config.cluster().name();
  }

  private void publish() {
    if (settings != null) {
      helper.updateBalancingState(state, new LeafPicker(picker, settings, environment.random()));
    }
  }

  /** Whether both are one value, or one error. */
  static <T> boolean sameResult(StatusOr<T> first, StatusOr<T> second) {
    return same(first, second)
        || (first.hasValue() && second.hasValue() && same(first.getValue(), second.getValue()));
  }

  private static boolean same(@Nullable Object first, @Nullable Object second) {
    return first == second;
  }

  @Override
  public void handleNameResolutionError(Status error) {
    // The errors that matter are part of the configuration.
  }

  @Override
  public void requestConnection() {
    if (tree != null) {
      tree.balancer.requestConnection();
    }
  }

  @Override
  public void shutdown() {
    cut();
    loads.close();
  }

  /** The balancers below; those that have been cut off are not listened to. */
  private final class Tree extends ForwardingLoadBalancerHelper {
    final GracefulSwitchLoadBalancer balancer = new GracefulSwitchLoadBalancer(this);

    @Override
    protected Helper delegate() {
      return helper;
    }

    @Override
    public void updateBalancingState(ConnectivityState newState, SubchannelPicker newPicker) {
      if (tree != this) {
        return;
      }
      state = newState;
      picker = newPicker;
      if (!updating) {
        publish();
      }
    }

    @Override
    public Subchannel createSubchannel(CreateSubchannelArgs args) {
      return security.createSubchannel(helper, args);
    }

    /** Endpoints that the control plane gave are not found by asking for the target again. */
    @Override
    public void refreshNameResolution() {
      if (config != null && config.cluster().discovery() instanceof Discovery.LogicalDns) {
        super.refreshNameResolution();
      }
    }
  }
}
