// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import dev.holdfast.controlplane.ads.wire.DiscoveryServices;
import dev.holdfast.controlplane.ads.wire.RequestMeter;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.PortErrors;
import dev.holdfast.server.options.StartException;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerTransportFilter;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The port that proxies connect to.
 *
 * <p>Its limits keep one proxy from using up what all share: how large a request may be, how many
 * streams a connection may have, how often it may ping.
 */
public final class XdsServer implements AutoCloseable {
  private static final int LARGEST_METADATA = 32 << 10;

  /** One per type is the most that a proxy without aggregation needs; the rest is for tools. */
  private static final int STREAMS_PER_CONNECTION = 128;

  /** Proxies are told to ping every 10 to 30 seconds, to notice a server that vanished. */
  private static final Duration MOST_FREQUENT_PING = Duration.ofSeconds(5);

  /** The other direction: a proxy that vanished would else be shown as connected for ever. */
  private static final Duration PING_EVERY = Duration.ofSeconds(30);

  private static final Duration PING_ANSWER = Duration.ofSeconds(10);
  private static final Duration HANDSHAKE = Duration.ofSeconds(10);

  private final Server server;
  private final ConnectionThreads threads;
  private final ListenAddress address;

  private XdsServer(Server server, ConnectionThreads threads, ListenAddress address) {
    this.server = server;
    this.threads = threads;
    this.address = address;
  }

  /**
   * Begins to listen.
   *
   * @param credentials how connections are secured
   * @param largestRequest in bytes: an Envoy names all its extensions, a gRPC client may name
   *     thousands of resources
   * @throws StartException if it cannot
   */
  public static XdsServer start(
      ListenAddress address,
      ServerCredentials credentials,
      List<BindableService> services,
      int largestRequest)
      throws StartException {
    return start(address, credentials, services, largestRequest, new ServerTransportFilter() {});
  }

  /**
   * The same.
   *
   * @param connections is told of each connection, and may add to what is known of it
   */
  static XdsServer start(
      ListenAddress address,
      ServerCredentials credentials,
      List<BindableService> services,
      int largestRequest,
      ServerTransportFilter connections)
      throws StartException {
    ConnectionThreads threads = new ConnectionThreads();
    try {
      NettyServerBuilder builder =
          threads
              .serve(NettyServerBuilder.forAddress(address.resolve(), credentials))
              .callExecutor(DiscoveryServices.executors())
              .maxInboundMessageSize(largestRequest)
              .addStreamTracerFactory(RequestMeter.factory())
              .addTransportFilter(connections)
              .maxInboundMetadataSize(LARGEST_METADATA)
              .maxConcurrentCallsPerConnection(STREAMS_PER_CONNECTION)
              .handshakeTimeout(HANDSHAKE.toMillis(), TimeUnit.MILLISECONDS)
              .permitKeepAliveTime(MOST_FREQUENT_PING.toMillis(), TimeUnit.MILLISECONDS)
              .permitKeepAliveWithoutCalls(true)
              .keepAliveTime(PING_EVERY.toMillis(), TimeUnit.MILLISECONDS)
              .keepAliveTimeout(PING_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
      services.forEach(builder::addService);
      Server server = builder.build().start();
      return new XdsServer(server, threads, address.withPort(server.getPort()));
    } catch (IOException e) {
      threads.close();
      throw PortErrors.cannotListen("xDS", "--xds-address", address, e);
    }
  }

  /** Where it listens; the port is the real one. */
  public ListenAddress address() {
    return address;
  }

  /** Takes no further connections and calls; those there are go on. */
  public void stopAccepting() {
    server.shutdown();
  }

  /** Ends what is left, at once: streams do not end by themselves. */
  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.close();
  }
}
