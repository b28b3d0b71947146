// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import dev.holdfast.base.Env;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.XdsTransport;
import dev.holdfast.xds.client.transport.XdsTransportFactory;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Makes connections that are gRPC channels; a server's URI is the channel's target. Callbacks and
 * the decoding of messages run on the environment's executor, so that a large response never holds
 * up an event loop that other channels share. Discovery and load reports of one server share its
 * channel.
 */
public final class GrpcTransportFactory
    implements XdsTransportFactory, LoadReportTransport.Factory {
  /** Room for the largest fleets; gRPC's own limit of 4 MiB is no more than 10,000 clusters. */
  public static final int DEFAULT_MAX_INBOUND_MESSAGE_SIZE = 64 << 20;

  /** Notices a peer that vanished without a word, without being taken for an attack by it. */
  public static final KeepAlive DEFAULT_KEEP_ALIVE =
      new KeepAlive(Duration.ofMinutes(5), Duration.ofSeconds(20));

  private final Env env;
  private final int maxInboundMessageSize;
  private final KeepAlive keepAlive;
  private final ServerChannels channels = new ServerChannels(this::open);

  private GrpcTransportFactory(Env env, int maxInboundMessageSize, KeepAlive keepAlive) {
    this.env = env;
    this.maxInboundMessageSize = maxInboundMessageSize;
    this.keepAlive = keepAlive;
  }

  /** A factory with default limits. */
  public static GrpcTransportFactory create(Env env) {
    return new GrpcTransportFactory(env, DEFAULT_MAX_INBOUND_MESSAGE_SIZE, DEFAULT_KEEP_ALIVE);
  }

  /** The same, with another limit on the size of a response in bytes. */
  public GrpcTransportFactory withMaxInboundMessageSize(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("maxInboundMessageSize: " + bytes + " (expected: > 0)");
    }
    return new GrpcTransportFactory(env, bytes, keepAlive);
  }

  /** The same, asking silent servers at other times whether they are still there. */
  public GrpcTransportFactory withKeepAlive(KeepAlive other) {
    return new GrpcTransportFactory(env, maxInboundMessageSize, other);
  }

  @Override
  public XdsTransport create(ServerConfig server, XdsTransport.Listener listener) {
    return GrpcTransport.start(channels.lease(server), env.executor(), listener);
  }

  @Override
  public LoadReportTransport create(ServerConfig server) {
    ServerChannels.Lease lease = channels.lease(server);
    return new LoadReportTransport() {
      @Override
      public XdsTransport.Stream open(XdsTransport.StreamListener listener) {
        return GrpcStream.start(
            lease.channel(), ServerMethods.LOAD_STATS, env.executor(), listener);
      }

      @Override
      public void close() {
        lease.close();
      }
    };
  }

  private ServerChannels.Opened open(ServerConfig server) {
    ChannelSecurity.Opened security = ChannelSecurity.open(server.credentials(), env);
    try {
      ManagedChannel channel =
          Grpc.newChannelBuilder(
                  server.uri(),
                  CallSecurity.with(security.credentials(), server.callCredentials(), env))
              .executor(env.executor())
              .maxInboundMessageSize(maxInboundMessageSize)
              .keepAliveTime(keepAlive.after().toNanos(), TimeUnit.NANOSECONDS)
              .keepAliveTimeout(keepAlive.patience().toNanos(), TimeUnit.NANOSECONDS)
              .userAgent(UserAgent.NAME + "/" + UserAgent.VERSION)
              // The engine decides when to try again, and nobody else may reconfigure this channel.
              .disableRetry()
              .disableServiceConfigLookUp()
              .build();
      return new ServerChannels.Opened(channel, security);
    } catch (RuntimeException e) {
      security.close();
      throw new IllegalArgumentException(
          "server_uri: " + server.uri() + " (expected: a gRPC target): " + e.getMessage(), e);
    }
  }
}
