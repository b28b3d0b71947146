// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.traffic.Caller;
import dev.holdfast.demo.traffic.ClientEvents;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.grpc.transport.KeepAlive;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.ServerConfig;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import java.time.Duration;

/** The channels of the demo's clients. */
final class Clients {
  /** A node of its own for each client: they are shown in the control plane. */
  static final String NODE = "grpc-client";

  static final String ENVOY_NODE = "envoy";

  /** As soon as gRPC allows, so that nobody has to wait for minutes to see silence noticed. */
  private static final KeepAlive IMPATIENT =
      new KeepAlive(Duration.ofSeconds(10), Duration.ofSeconds(2));

  private static final Duration UNCONNECTED = Duration.ofSeconds(2);

  private Clients() {}

  /** One that asks the control plane itself. */
  static Caller proxyless(int xdsPort, String host, String node, ClientEvents events) {
    XdsBootstrap bootstrap =
        XdsBootstrap.builder()
            .nodeId(node)
            .server(ServerConfig.insecure("127.0.0.1:" + xdsPort))
            .build();
    XdsOptions options =
        XdsOptions.of(bootstrap)
            .withBehaviour(behaviour())
            .withKeepAlive(IMPATIENT)
            .withObserver(events);
    return new Caller(
        HoldfastChannel.forTarget("xds:///" + host, InsecureChannelCredentials.create(), options)
            .build());
  }

  private static Behaviour behaviour() {
    Behaviour usual = Behaviour.defaults();
    return new Behaviour(
        usual.dataErrorHandling(),
        usual.federation(),
        usual.resourceTimeout(),
        usual.transientResourceTimeout(),
        UNCONNECTED,
        usual.youngStreamAge(),
        usual.backoff(),
        usual.nackBackoff());
  }

  /** One that knows nothing but a port, behind which an Envoy is. */
  static Caller throughEnvoy(int port) {
    return new Caller(
        Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create())
            .overrideAuthority(ShopObjects.HOST)
            .build());
  }
}
