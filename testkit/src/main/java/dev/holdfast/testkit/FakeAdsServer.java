// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An xDS server on a loopback socket that says only what a test tells it to. It can be stopped,
 * started again on the same port, and made to accept connections without ever answering.
 *
 * <p>The methods are for the one thread of the test.
 */
public final class FakeAdsServer implements AutoCloseable {
  private static final int MAX_REQUEST_BYTES = 64 << 20;

  private final ServerCredentials credentials;
  private final Consumer<? super NettyServerBuilder> customisation;
  private final Recorder<FakeStream<DiscoveryRequest, DiscoveryResponse>> sotw =
      new Recorder<>("state-of-the-world stream");
  private final Recorder<FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse>> delta =
      new Recorder<>("incremental stream");
  private final int port;
  private @Nullable Server server;
  private @Nullable SilentServer mute;

  private FakeAdsServer(
      ServerCredentials credentials, Consumer<? super NettyServerBuilder> customisation) {
    this.credentials = credentials;
    this.customisation = customisation;
    port = listen(ReservedPorts.next());
  }

  /** A server without encryption, on a port that it can come back to. */
  public static FakeAdsServer start() {
    return start(builder -> {});
  }

  /** The same with more services, limits or whatever else a gRPC server can have. */
  public static FakeAdsServer start(Consumer<? super NettyServerBuilder> customisation) {
    return new FakeAdsServer(InsecureServerCredentials.create(), customisation);
  }

  /** A server on a port that it can come back to that shows credentials. */
  public static FakeAdsServer start(ServerCredentials credentials) {
    return start(credentials, builder -> {});
  }

  /** The same with more services, limits or whatever else a gRPC server can have. */
  public static FakeAdsServer start(
      ServerCredentials credentials, Consumer<? super NettyServerBuilder> customisation) {
    return new FakeAdsServer(credentials, customisation);
  }

  /** Where it listens, or did when it was last up. */
  public int port() {
    return port;
  }

  /** The server as a bootstrap names it. */
  public String uri() {
    return "127.0.0.1:" + port;
  }

  /** The next state-of-the-world stream that was not awaited yet. */
  public FakeStream<DiscoveryRequest, DiscoveryResponse> awaitStream() {
    return sotw.next();
  }

  /** The next incremental stream that was not awaited yet. */
  public FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> awaitDeltaStream() {
    return delta.next();
  }

  /** How many streams of either protocol were ever opened. */
  public int streamCount() {
    return sotw.all().size() + delta.all().size();
  }

  /** Goes away at once: streams are reset, connections break, new ones are refused. */
  public void stop() {
    Server running = server;
    server = null;
    if (running != null) {
      running.shutdownNow();
      awaitTermination(running);
    }
    if (mute != null) {
      mute.close();
      mute = null;
    }
  }

  /** Comes (back) up on the same port. */
  public void restart() {
    stop();
    listen(port);
  }

  /** From now on accepts connections on the same port, but never says a word on them. */
  public void stall() {
    stop();
    mute = new SilentServer(port);
  }

  @Override
  public void close() {
    stop();
  }

  private int listen(int wanted) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted), credentials)
            .maxInboundMessageSize(MAX_REQUEST_BYTES)
            .addService(new Ads());
    customisation.accept(builder);
    try {
      server = builder.build().start();
    } catch (IOException e) {
      throw new UncheckedIOException("port: " + wanted + " (expected: free on loopback)", e);
    }
    return server.getPort();
  }

  private static void awaitTermination(Server server) {
    try {
      if (!server.awaitTermination(60, TimeUnit.SECONDS)) {
        throw new AssertionError("the server did not stop within 60 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while stopping", e);
    }
  }

  private final class Ads extends AggregatedDiscoveryServiceImplBase {
    @Override
    public StreamObserver<DiscoveryRequest> streamAggregatedResources(
        StreamObserver<DiscoveryResponse> responses) {
      FakeStream<DiscoveryRequest, DiscoveryResponse> stream = new FakeStream<>(responses);
      sotw.add(stream);
      return stream.inbound();
    }

    @Override
    public StreamObserver<DeltaDiscoveryRequest> deltaAggregatedResources(
        StreamObserver<DeltaDiscoveryResponse> responses) {
      FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream =
          new FakeStream<>(responses);
      delta.add(stream);
      return stream.inbound();
    }
  }
}
