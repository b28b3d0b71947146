// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.PolicyFactory;
import dev.holdfast.grpc.security.ClusterTls;
import dev.holdfast.grpc.security.EndpointTls;
import dev.holdfast.grpc.security.TlsFailures;
import io.grpc.Attributes;
import io.grpc.ConnectivityState;
import io.grpc.ConnectivityStateInfo;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancer.CreateSubchannelArgs;
import io.grpc.LoadBalancer.Helper;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelStateListener;
import io.grpc.util.ForwardingSubchannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells the transport how to secure the connections of a cluster.
 *
 * <p>It does so where subchannels are created, below all policies: one that makes up addresses of
 * its own cannot lose it. Connections that there are stay as they are, in gRPC, so another security
 * begins with other balancers; the earlier ones serve until those have connected.
 */
final class LeafSecurity {
  // In the synchronization context.
  private String cluster = "";
  private @Nullable ClusterTls tls;
  private boolean changed;
  private final Map<LoadBalancer.Factory, PolicyFactory> factories = new HashMap<>();

  /**
   * Secures connections like this from now on.
   *
   * @param name that of the cluster, for error texts
   * @param wanted null to leave it to the channel's credentials
   */
  void use(String name, @Nullable ClusterTls wanted) {
    cluster = name;
    if (!Objects.equals(tls, wanted)) {
      tls = wanted;
      changed = true;
      factories.clear();
    }
  }

  /** The policy for a tree whose connections are secured like this. */
  Policy secured(Policy policy) {
    if (!changed) {
      return policy;
    }
    PolicyFactory factory =
        factories.computeIfAbsent(
            policy.factory(),
            original -> new PolicyFactory(original.toString(), original::newLoadBalancer));
    return new Policy(factory, policy.config());
  }

  Subchannel createSubchannel(Helper helper, CreateSubchannelArgs args) {
    ClusterTls securing = tls;
    return securing == null
        ? helper.createSubchannel(args)
        : new Secured(
            helper.createSubchannel(
                args.toBuilder().setAddresses(secure(securing, args.getAddresses())).build()),
            securing,
            cluster);
  }

  private static List<EquivalentAddressGroup> secure(
      ClusterTls tls, List<EquivalentAddressGroup> groups) {
    return groups.stream().map(group -> secure(tls, group)).toList();
  }

  private static EquivalentAddressGroup secure(ClusterTls tls, EquivalentAddressGroup group) {
    String hostname = group.getAttributes().get(EndpointAttributes.HOSTNAME);
    Attributes attributes =
        group.getAttributes().toBuilder()
            .set(EndpointTls.KEY, tls.toEndpoint(hostname == null ? "" : hostname))
            .build();
    return new EquivalentAddressGroup(group.getAddresses(), attributes);
  }

  /** Keeps the security that it was created with. */
  private static final class Secured extends ForwardingSubchannel {
    private final Subchannel subchannel;
    private final ClusterTls tls;
    private final String cluster;

    Secured(Subchannel subchannel, ClusterTls tls, String cluster) {
      this.subchannel = subchannel;
      this.tls = tls;
      this.cluster = cluster;
    }

    @Override
    protected Subchannel delegate() {
      return subchannel;
    }

    @Override
    public void start(SubchannelStateListener listener) {
      subchannel.start(info -> listener.onSubchannelState(explain(info)));
    }

    private ConnectivityStateInfo explain(ConnectivityStateInfo info) {
      return info.getState() == ConnectivityState.TRANSIENT_FAILURE
          ? ConnectivityStateInfo.forTransientFailure(
              TlsFailures.explain(info.getStatus(), "cluster " + cluster))
          : info;
    }

    @Override
    public void updateAddresses(List<EquivalentAddressGroup> groups) {
      subchannel.updateAddresses(secure(tls, groups));
    }
  }
}
