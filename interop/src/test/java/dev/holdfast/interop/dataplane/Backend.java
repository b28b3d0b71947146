// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCredentials;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A server on this machine that answers each call of any method with its name, unless it was told
 * to fail or to wait. It can die and come back on its port.
 */
final class Backend implements AutoCloseable {
  private final String name;
  private final AtomicInteger calls = new AtomicInteger();
  private final ConcurrentLinkedQueue<Failure> failures = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Failure failure;
  private volatile CountDownLatch held = new CountDownLatch(0);
  private volatile CountDownLatch released = new CountDownLatch(0);
  private volatile String lastAuthority = "";
  private volatile String lastClient = "";
  private volatile Metadata lastHeaders = new Metadata();
  private volatile @Nullable OrcaLoadReport report;
  private final LoopbackServer server;

  private record Failure(Status status, Metadata trailers) {}

  private Backend(
      String name, ServerCredentials credentials, UnaryOperator<NettyServerBuilder> settings) {
    this.name = name;
    server =
        LoopbackServer.start(
            builder -> settings.apply(builder).fallbackHandlerRegistry(new AllMethods()),
            credentials);
  }

  static Backend start(String name) {
    return start(name, InsecureServerCredentials.create(), builder -> builder);
  }

  static Backend start(
      String name, ServerCredentials credentials, UnaryOperator<NettyServerBuilder> settings) {
    return new Backend(name, credentials, settings);
  }

  String name() {
    return name;
  }

  int port() {
    return server.port();
  }

  int calls() {
    return calls.get();
  }

  String lastAuthority() {
    return lastAuthority;
  }

  /** Who the client of the last call was, by its certificate; empty if it showed none. */
  String lastClient() {
    return lastClient;
  }

  /** A header of the last call; empty if there was none. */
  String lastHeader(String key) {
    String value = lastHeaders.get(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER));
    return value == null ? "" : value;
  }

  /** Fails that many calls from now on. */
  void failNext(int times, Status status) {
    failNext(times, status, new Metadata());
  }

  void failNext(int times, Status status, Metadata trailers) {
    for (int i = 0; i < times; i++) {
      failures.add(new Failure(status, trailers));
    }
  }

  /** Says this of its load with each answer from now on (ORCA). */
  void reports(OrcaLoadReport load) {
    report = load;
  }

  /** New ones for each call, because gRPC changes them. */
  private Metadata trailers() {
    Metadata trailers = new Metadata();
    OrcaLoadReport load = report;
    if (load != null) {
      trailers.put(
          Metadata.Key.of("endpoint-load-metrics-bin", Metadata.BINARY_BYTE_MARSHALLER),
          load.toByteArray());
    }
    return trailers;
  }

  /** Fails all calls until it is told otherwise. */
  void failAlways(Status status) {
    failure = new Failure(status, new Metadata());
  }

  /** Answers no call until {@link #release}. */
  void hold() {
    released = new CountDownLatch(1);
    held = new CountDownLatch(1);
  }

  void awaitHeld() throws InterruptedException {
    if (!held.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("no call came to " + name);
    }
  }

  void release() {
    released.countDown();
  }

  /** Dies: connections break, and new ones are refused. */
  void stop() {
    released.countDown();
    server.stop();
  }

  void restart() {
    stop();
    server.restart();
  }

  @Override
  public void close() {
    stop();
  }

  private final class AllMethods extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String method, @Nullable String authority) {
      return ServerMethodDefinition.create(Rpc.method(method), Backend.this::answer);
    }
  }

  private static String client(ServerCall<?, ?> call) {
    SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    try {
      return session == null ? "" : session.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return "";
    }
  }

  private ServerCall.Listener<String> answer(ServerCall<String, String> call, Metadata headers) {
    calls.incrementAndGet();
    String authority = call.getAuthority();
    lastAuthority = authority == null ? "" : authority;
    lastHeaders = headers;
    lastClient = client(call);
    call.request(1);
    return new ServerCall.Listener<>() {
      @Override
      public void onHalfClose() {
        CountDownLatch until = released;
        held.countDown();
        try {
          until.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        if (call.isCancelled()) {
          return;
        }
        Failure always = failure;
        Failure failing = always == null ? failures.poll() : always;
        if (failing != null) {
          call.close(failing.status(), failing.trailers());
          return;
        }
        call.sendHeaders(new Metadata());
        call.sendMessage(name);
        call.close(Status.OK, trailers());
      }
    };
  }
}
