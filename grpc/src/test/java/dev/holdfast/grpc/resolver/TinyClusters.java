// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import io.grpc.ConnectivityState;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancerProvider;
import io.grpc.LoadBalancerRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.util.ForwardingLoadBalancerHelper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The least that can stand in for the balancers of the clusters: round robin for each. */
final class TinyClusters extends LoadBalancerProvider implements AutoCloseable {
  static TinyClusters register() {
    TinyClusters clusters = new TinyClusters();
    LoadBalancerRegistry.getDefaultRegistry().register(clusters);
    return clusters;
  }

  @Override
  public void close() {
    LoadBalancerRegistry.getDefaultRegistry().deregister(this);
  }

  @Override
  public boolean isAvailable() {
    return true;
  }

  @Override
  public int getPriority() {
    return 10; // whatever else has the name
  }

  @Override
  public String getPolicyName() {
    return "holdfast_cluster_manager";
  }

  @Override
  public LoadBalancer newLoadBalancer(LoadBalancer.Helper helper) {
    return new Balancer(helper);
  }

  private static final class Balancer extends LoadBalancer {
    private final Helper helper;
    private final Map<String, LoadBalancer> children = new HashMap<>();
    private final Map<String, SubchannelPicker> pickers = new ConcurrentHashMap<>();

    Balancer(Helper helper) {
      this.helper = helper;
    }

    @Override
    public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
      XdsConfig config = resolved.getAttributes().get(XdsConfig.KEY);
      if (config == null) {
        return Status.INTERNAL.withDescription("no configuration");
      }
      config.clusters().forEach(this::update);
      children
          .entrySet()
          .removeIf(
              child -> {
                boolean gone = !config.clusters().containsKey(child.getKey());
                if (gone) {
                  child.getValue().shutdown();
                  pickers.remove(child.getKey());
                }
                return gone;
              });
      publish();
      return Status.OK;
    }

    private void update(String name, StatusOr<ClusterConfig> config) {
      if (!config.hasValue()) {
        fail(name, config.getStatus());
        return;
      }
      StatusOr<ClusterLoadAssignment> assignment =
          ((ClusterConfig.Endpoints) config.getValue().members()).assignment();
      if (!assignment.hasValue()) {
        fail(name, assignment.getStatus());
        return;
      }
      List<EquivalentAddressGroup> addresses = new ArrayList<>();
      assignment
          .getValue()
          .localities()
          .forEach(
              locality ->
                  locality
                      .endpoints()
                      .forEach(
                          endpoint ->
                              addresses.add(
                                  new EquivalentAddressGroup(
                                      new ArrayList<>(endpoint.addresses())))));
      children
          .computeIfAbsent(name, this::child)
          .acceptResolvedAddresses(ResolvedAddresses.newBuilder().setAddresses(addresses).build());
    }

    private LoadBalancer child(String name) {
      LoadBalancerProvider roundRobin =
          LoadBalancerRegistry.getDefaultRegistry().getProvider("round_robin");
      if (roundRobin == null) {
        throw new AssertionError("no round_robin");
      }
      return roundRobin.newLoadBalancer(
          new ForwardingLoadBalancerHelper() {
            @Override
            protected Helper delegate() {
              return helper;
            }

            @Override
            public void updateBalancingState(ConnectivityState state, SubchannelPicker picker) {
              pickers.put(name, picker);
              publish();
            }
          });
    }

    private void fail(String name, Status status) {
      pickers.put(name, new FixedResultPicker(PickResult.withError(status)));
    }

    private void publish() {
      Map<String, SubchannelPicker> now = Map.copyOf(pickers);
      helper.updateBalancingState(
          ConnectivityState.READY,
          new SubchannelPicker() {
            @Override
            public PickResult pickSubchannel(PickSubchannelArgs args) {
              RoutedCall routed = args.getCallOptions().getOption(RoutedCall.KEY);
              @Nullable SubchannelPicker picker = routed == null ? null : now.get(routed.cluster());
              return picker == null
                  ? PickResult.withError(
                      Status.UNAVAILABLE.withDescription("unknown to the balancer: " + routed))
                  : picker.pickSubchannel(args);
            }
          });
    }

    @Override
    public void handleNameResolutionError(Status error) {
      throw new AssertionError("not how errors travel: " + error);
    }

    @Override
    public void shutdown() {
      children.values().forEach(LoadBalancer::shutdown);
    }
  }
}
