// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.kit.FakeCall;
import dev.holdfast.grpc.balance.kit.FakeChannel;
import dev.holdfast.grpc.balance.kit.FakeSubchannel;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.load.LoadReports;
import dev.holdfast.grpc.security.ClusterSecurity;
import io.grpc.LoadBalancerRegistry;
import java.util.List;
import java.util.Random;

/** A cluster in a channel of its own. */
final class Leaf {
  final FakeChannel channel = new FakeChannel();
  final LeafBalancer balancer;

  Leaf() {
    this(new CircuitBreakers());
  }

  Leaf(CircuitBreakers breakers) {
    this(breakers, ClusterSecurity.withoutProviders());
  }

  Leaf(CircuitBreakers breakers, ClusterSecurity security) {
    this(breakers, security, LoadReports.NONE);
  }

  Leaf(LoadReports loads) {
    this(new CircuitBreakers(), ClusterSecurity.withoutProviders(), loads);
  }

  private Leaf(CircuitBreakers breakers, ClusterSecurity security, LoadReports loads) {
    Random random = new Random(11);
    balancer =
        new LeafBalancer(
            channel,
            new Environment(
                () -> random,
                LoadBalancerRegistry.getDefaultRegistry(),
                breakers,
                security,
                loads,
                channel::nanoTime));
  }

  void give(ClusterConfig config) {
    channel.give(balancer, config, List.of());
  }

  /** Connects all subchannels that want to be. */
  void connectAll() {
    for (FakeSubchannel subchannel : channel.subchannels()) {
      if (!subchannel.isShutDown()) {
        subchannel.ready();
      }
    }
  }

  static FakeCall call() {
    return FakeCall.routed(new RoutedCall("c", 0, false));
  }
}
