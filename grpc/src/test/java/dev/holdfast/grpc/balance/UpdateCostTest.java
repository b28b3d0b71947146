// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.withNote;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancerProvider;
import io.grpc.LoadBalancerRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.util.ForwardingLoadBalancer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A change of one cluster among a thousand reaches that one. */
class UpdateCostTest {
  private static final int CLUSTERS = 1_000;

  private final AtomicInteger accepted = new AtomicInteger();
  private final CountingProvider counting = new CountingProvider(accepted);
  private final LbPolicy policy =
      new LbPolicy.WrrLocality(
          new LbPolicy.Custom(counting.getPolicyName(), Struct.getDefaultInstance()));
  private final Root root = new Root();
  private final FakeChannel channel = root.channel;

  @BeforeEach
  void aThousandClusters() {
    LoadBalancerRegistry.getDefaultRegistry().register(counting);
    for (int i = 0; i < CLUSTERS; i++) {
      root.with(config(i, 1000 + i));
    }
    root.give();
    assertThat(accepted.getAndSet(0)).isEqualTo(CLUSTERS);
  }

  @AfterEach
  void forgetThePolicy() {
    LoadBalancerRegistry.getDefaultRegistry().deregister(counting);
  }

  private ClusterConfig config(int cluster, int... ports) {
    return leaf(cluster("c" + cluster, policy), assignment(ports));
  }

  @Test
  void otherEndpointsOfOneClusterReachThatOneOnly() {
    int reports = channel.reports();
    root.with(config(500, 1500, 9999)).give();
    assertThat(accepted).hasValue(1);
    assertThat(channel.subchannels()).hasSize(CLUSTERS + 1);
    assertThat(channel.reports()).isEqualTo(reports + 1);
  }

  @Test
  void theOthersAreLookedAtOnceAndNoMore() {
    root.with(config(500, 1500, 9999));
    CountingMap clusters = new CountingMap(root.config().clusters());
    root.give(new XdsConfig(root.config().manager(), root.config().virtualHost(), clusters));
    // To see that they are the same; and once more for the one that is not.
    assertThat(clusters.looks).isEqualTo(CLUSTERS + 1);
  }

  @Test
  void aClusterThatComesOrGoesReachesNoOther() {
    root.with(config(CLUSTERS, 9999)).give();
    assertThat(accepted.getAndSet(0)).isEqualTo(1);
    root.without("c0").give();
    assertThat(accepted).hasValue(0);
    assertThat(channel.subchannels()).filteredOn(s -> s.isShutDown()).hasSize(1);
  }

  @Test
  void theSameAgainReachesNone() {
    root.give();
    assertThat(accepted).hasValue(0);
  }

  @Test
  void anotherNoteReachesNoPolicy() {
    ClusterConfig before = config(500, 1500);
    root.with(before).give();
    accepted.set(0);
    channel.subchannel(1500).fail("refused");
    root.with(withNote(before, "EDS: stream lost")).give();
    assertThat(accepted).hasValue(0);
    assertThat(channel.error(FakeCall.to("c500")).getDescription())
        .isEqualTo("refused (EDS: stream lost)");
  }

  private static final class CountingMap extends LinkedHashMap<String, StatusOr<ClusterConfig>> {
    private static final long serialVersionUID = 1;
    private int looks;

    CountingMap(Map<String, StatusOr<ClusterConfig>> clusters) {
      super(clusters);
    }

    @Override
    public @Nullable StatusOr<ClusterConfig> get(@Nullable Object name) {
      looks++;
      return super.get(name);
    }
  }

  /** round_robin, with a count of what it is told. */
  private static final class CountingProvider extends LoadBalancerProvider {
    private final AtomicInteger accepted;

    CountingProvider(AtomicInteger accepted) {
      this.accepted = accepted;
    }

    @Override
    public boolean isAvailable() {
      return true;
    }

    @Override
    public int getPriority() {
      return 5;
    }

    @Override
    public String getPolicyName() {
      return "counting_for_update_cost";
    }

    @Override
    public LoadBalancer newLoadBalancer(LoadBalancer.Helper helper) {
      LoadBalancer balancer =
          LoadBalancerRegistry.getDefaultRegistry()
              .getProvider("round_robin")
              .newLoadBalancer(helper);
      return new ForwardingLoadBalancer() {
        @Override
        protected LoadBalancer delegate() {
          return balancer;
        }

        @Override
        public Status acceptResolvedAddresses(ResolvedAddresses addresses) {
          accepted.incrementAndGet();
          return balancer.acceptResolvedAddresses(addresses);
        }
      };
    }
  }
}
