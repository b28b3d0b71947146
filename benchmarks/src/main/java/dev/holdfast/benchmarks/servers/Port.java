// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import dev.holdfast.controlplane.ads.DiscoveryServices;
import io.grpc.Server;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A port of the loopback interface: gRPC as it comes, the same for all, but that each server is
 * called on the threads that it wants to be called on.
 */
public final class Port implements AutoCloseable {
  private final Arrivals arrivals = new Arrivals();
  private final Server server;

  /** With Holdfast's services, or none of them. */
  public Port(List<ServerServiceDefinition> services) {
    this(services, DiscoveryServices.executors());
  }

  Port(List<ServerServiceDefinition> services, ServerCallExecutorSupplier executors) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), /* port= */ 0))
            .maxInboundMessageSize(16 << 20)
            .callExecutor(executors)
            .intercept(arrivals);
    services.forEach(builder::addService);
    try {
      server = builder.build().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int number() {
    return server.getPort();
  }

  public Arrivals arrivals() {
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
  }
}
