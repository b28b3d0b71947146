// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import dev.holdfast.testkit.ReservedPorts;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A gRPC server on this machine that can die, and come back on its port. */
final class LoopbackServer {
  private final UnaryOperator<NettyServerBuilder> services;
  private final ServerCredentials credentials;
  private final int port;
  private @Nullable Server server;

  private LoopbackServer(
      UnaryOperator<NettyServerBuilder> services, ServerCredentials credentials) {
    this.services = services;
    this.credentials = credentials;
    port = listen(ReservedPorts.next());
  }

  static LoopbackServer start(UnaryOperator<NettyServerBuilder> services) {
    return start(services, InsecureServerCredentials.create());
  }

  static LoopbackServer start(
      UnaryOperator<NettyServerBuilder> services, ServerCredentials credentials) {
    return new LoopbackServer(services, credentials);
  }

  int port() {
    return port;
  }

  /** Dies: connections break, and new ones are refused. */
  void stop() {
    Server running = server;
    server = null;
    if (running == null) {
      return;
    }
    running.shutdownNow();
    try {
      if (!running.awaitTermination(60, TimeUnit.SECONDS)) {
        throw new AssertionError("port " + port + ": the server did not stop within 60 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while stopping", e);
    }
  }

  void restart() {
    stop();
    listen(port);
  }

  private int listen(int wanted) {
    try {
      Server started =
          services
              .apply(
                  NettyServerBuilder.forAddress(
                      new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), credentials))
              .build()
              .start();
      server = started;
      return started.getPort();
    } catch (IOException e) {
      throw new UncheckedIOException("port: " + wanted + " (expected: free on loopback)", e);
    }
  }
}
