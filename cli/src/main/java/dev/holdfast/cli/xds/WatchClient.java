// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.CommandException;
import dev.holdfast.grpc.XdsClientBuilder;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.csds.CsdsService;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The client of one command and, if wanted, a CSDS server that shows it. */
final class WatchClient implements AutoCloseable {
  private final XdsBootstrap bootstrap;
  private final XdsClient client;
  private final RawResourceTypes types;
  private @Nullable Server csds;

  private WatchClient(XdsBootstrap bootstrap, XdsClient client, RawResourceTypes types) {
    this.bootstrap = bootstrap;
    this.client = client;
    this.types = types;
  }

  static WatchClient open(
      XdsBootstrap bootstrap,
      AdsProtocol protocol,
      Map<String, String> environment,
      XdsClientObserver observer) {
    XdsClient client =
        XdsClientBuilder.forBootstrap(bootstrap)
            .protocol(protocol)
            .behaviour(Behaviour.fromEnvironment(environment))
            .observer(observer)
            .build();
    return new WatchClient(
        bootstrap, client, new RawResourceTypes(XdsTypes.of(bootstrap, environment)));
  }

  XdsClient client() {
    return client;
  }

  RawResourceTypes types() {
    return types;
  }

  /**
   * Shows the client to whoever asks on this machine.
   *
   * @return the port
   * @throws CommandException with a message for the user if the port cannot be had
   */
  int serveCsds(int port) {
    Server server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                InsecureServerCredentials.create())
            .addService(new CsdsService(bootstrap.node(), client))
            .build();
    try {
      csds = server.start();
    } catch (IOException e) {
      throw new CommandException(
          "cannot serve CSDS on port "
              + port
              + ": "
              + RootCause.innermost(e)
              + " (--csds-port 0 picks a free one)",
          e);
    }
    return server.getPort();
  }

  @Override
  public void close() {
    if (csds != null) {
      csds.shutdownNow();
    }
    client.close();
  }
}
