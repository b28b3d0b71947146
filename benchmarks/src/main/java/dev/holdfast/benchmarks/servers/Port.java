// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import dev.holdfast.controlplane.ads.wire.DiscoveryServices;
import dev.holdfast.server.xds.ConnectionThreads;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A port of the loopback interface: gRPC as it comes, the same for all, but that each server has
 * the threads that it wants to have.
 */
public final class Port implements AutoCloseable {
  private final RequestCounter arrivals = new RequestCounter();
  private final @Nullable ConnectionThreads threads;
  private final Server server;

  private Port(
      List<ServerServiceDefinition> services,
      NettyServerBuilder builder,
      @Nullable ConnectionThreads threads) {
    this.threads = threads;
    builder.maxInboundMessageSize(16 << 20).intercept(arrivals);
    services.forEach(builder::addService);
    try {
      server = builder.build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@code holdfast serve} has it. */
  public static Port ofHoldfast(List<ServerServiceDefinition> services) {
    ConnectionThreads threads = new ConnectionThreads();
    return new Port(
        services, threads.serve(loopback()).callExecutor(DiscoveryServices.executors()), threads);
  }

  /** With gRPC's own threads. */
  static Port plain(List<ServerServiceDefinition> services) {
    return new Port(services, loopback(), null);
  }

  /** Services are called on the thread that reads from the network. */
  static Port direct(List<ServerServiceDefinition> services) {
    return new Port(services, loopback().directExecutor(), null);
  }

  private static NettyServerBuilder loopback() {
    return NettyServerBuilder.forAddress(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), /* port= */ 0));
  }

  public int number() {
    return server.getPort();
  }

  public RequestCounter arrivals() {
    return arrivals;
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (threads != null) {
      threads.close();
    }
  }
}
