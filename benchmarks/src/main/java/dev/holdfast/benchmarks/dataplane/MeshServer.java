// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A plain xDS server for one client at a time: answers what it is asked for, sends a change alone,
 * and knows when it was accepted.
 */
final class MeshServer implements AutoCloseable {
  /** A client that asks for one name after the other is answered when it has asked for all. */
  private static final long GATHER_MILLIS = 20;

  private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(60);

  private final Map<String, Map<String, Any>> resources = new HashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(ServerThreads.factory());
  private final Server server;
  private final Set<String> accepted = new HashSet<>();
  private final Set<Stream> streams = new HashSet<>();
  private int nonces;
  private String refusal = "";

  MeshServer() {
    try {
      server =
          ServerThreads.server()
              .maxInboundMessageSize(64 << 20)
              .addService(new Service())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return server.getPort();
  }

  String uri() {
    return "127.0.0.1:" + server.getPort();
  }

  /** Makes a resource what it is, for those who have not asked yet. */
  synchronized void put(String name, Message resource) {
    Any any = Any.pack(resource);
    resources.computeIfAbsent(any.getTypeUrl(), unused -> new LinkedHashMap<>()).put(name, any);
  }

  /** Sends a change of one resource, alone, and waits until it was accepted. */
  synchronized void change(String name, Message resource) {
    put(name, resource);
    String type = Any.pack(resource).getTypeUrl();
    if (streams.size() != 1) {
      throw new IllegalStateException("streams: " + streams.size() + " (expected: 1)");
    }
    String nonce = streams.iterator().next().send(type, Set.of(name));
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (!accepted.remove(nonce)) {
      if (System.nanoTime() - deadline > 0 || !refusal.isEmpty()) {
        throw new IllegalStateException("not accepted: " + name + " " + refusal);
      }
      try {
        wait(PATIENCE_MILLIS);
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    server.shutdownNow();
  }

  private final class Service extends AggregatedDiscoveryServiceImplBase {
    @Override
    public StreamObserver<DiscoveryRequest> streamAggregatedResources(
        StreamObserver<DiscoveryResponse> responses) {
      return new Stream(responses);
    }
  }

  private final class Stream implements StreamObserver<DiscoveryRequest> {
    private final StreamObserver<DiscoveryResponse> responses;
    private final Map<String, Set<String>> asked = new HashMap<>();
    private final Map<String, Set<String>> unanswered = new HashMap<>();
    private @Nullable Future<?> answers;

    Stream(StreamObserver<DiscoveryResponse> responses) {
      this.responses = responses;
      synchronized (MeshServer.this) {
        streams.add(this);
      }
    }

    @Override
    public void onNext(DiscoveryRequest request) {
      synchronized (MeshServer.this) {
        if (request.hasErrorDetail()) {
          refusal = request.getErrorDetail().getMessage();
        }
        if (!request.getResponseNonce().isEmpty()) {
          accepted.add(request.getResponseNonce());
          MeshServer.this.notifyAll();
        }
        String type = request.getTypeUrl();
        Set<String> names = new TreeSet<>(request.getResourceNamesList());
        Set<String> before = asked.put(type, names);
        Set<String> news = new TreeSet<>(names);
        if (before != null) {
          news.removeAll(before);
        }
        if (!news.isEmpty()) {
          gather(type, news);
        }
      }
    }

    private void gather(String type, Set<String> news) {
      Set<String> waiting = unanswered.computeIfAbsent(type, unused -> new TreeSet<>());
      boolean first = waiting.isEmpty();
      waiting.addAll(news);
      if (first) {
        answers = timer.schedule(() -> answer(type), GATHER_MILLIS, TimeUnit.MILLISECONDS);
      }
    }

    private void answer(String type) {
      synchronized (MeshServer.this) {
        Set<String> names = unanswered.remove(type);
        if (names != null) {
          boolean whole = type.endsWith(".Listener") || type.endsWith(".Cluster");
          accepted.remove(send(type, whole ? asked.getOrDefault(type, Set.of()) : names));
        }
      }
    }

    private String send(String type, Set<String> names) {
      String nonce = Integer.toString(++nonces);
      DiscoveryResponse.Builder response =
          DiscoveryResponse.newBuilder().setTypeUrl(type).setVersionInfo(nonce).setNonce(nonce);
      Map<String, Any> ofType = resources.getOrDefault(type, Map.of());
      for (String name : names) {
        Any resource = ofType.get(name);
        if (resource != null) {
          response.addResources(resource);
        }
      }
      responses.onNext(response.build());
      return nonce;
    }

    @Override
    public void onError(Throwable e) {
      gone();
    }

    @Override
    public void onCompleted() {
      gone();
    }

    private void gone() {
      synchronized (MeshServer.this) {
        streams.remove(this);
        if (answers != null) {
          answers.cancel(/* mayInterruptIfRunning= */ false);
        }
      }
    }
  }
}
