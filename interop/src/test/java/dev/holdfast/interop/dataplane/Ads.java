// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.testkit.FakeLoadService;
import dev.holdfast.testkit.Recorder;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.grpc.Status;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An xDS server that has what a test gives it and tells whoever asked, at once and in either
 * variant of the protocol. Of what it was told nothing about it says nothing.
 */
final class Ads implements AutoCloseable {
  private final Object lock = new Object();
  // All guarded by lock.
  private final Map<String, Map<String, Any>> resources = new HashMap<>();
  private final Map<String, Map<String, com.google.rpc.Status>> errors = new HashMap<>();
  private final Map<String, Set<String>> removed = new HashMap<>();
  private final Set<AdsStream> streams = new LinkedHashSet<>();
  private int version;
  private boolean silent;
  private Status refusal = Status.OK;

  private final Recorder<String> nacks = new Recorder<>("NACK");
  private final Recorder<String> asked = new Recorder<>("subscription");
  private final LoopbackServer server;

  /** Its load reporting service. */
  final FakeLoadService loads = new FakeLoadService();

  private Ads() {
    server =
        LoopbackServer.start(builder -> builder.addService(new AdsService(this)).addService(loads));
  }

  static Ads start() {
    return new Ads();
  }

  String uri() {
    return "127.0.0.1:" + server.port();
  }

  /** Has these from now on, instead of others of the same names. */
  void set(Message... messages) {
    synchronized (lock) {
      for (Message message : messages) {
        String type = TypeUrls.of(message);
        String name = name(message);
        of(resources, type).put(name, Any.pack(message));
        of(errors, type).remove(name);
        removed.computeIfAbsent(type, t -> new TreeSet<>()).remove(name);
        push(type, Set.of(name));
      }
    }
  }

  /** No longer has one, and says so. */
  void remove(String type, String name) {
    synchronized (lock) {
      of(resources, type).remove(name);
      of(errors, type).remove(name);
      removed.computeIfAbsent(type, t -> new TreeSet<>()).add(name);
      push(type, Set.of(name));
    }
  }

  /** Says why it does not have one (xRFC TP3). */
  void error(String type, String name, int code, String words) {
    synchronized (lock) {
      of(resources, type).remove(name);
      of(errors, type)
          .put(name, com.google.rpc.Status.newBuilder().setCode(code).setMessage(words).build());
      push(type, Set.of(name));
    }
  }

  /** Answers nobody any more, or again. */
  void silence(boolean now) {
    synchronized (lock) {
      silent = now;
    }
  }

  /** Ends all streams with an error. */
  void endStreams(Status status) {
    synchronized (lock) {
      List.copyOf(streams).forEach(stream -> stream.end(status));
      streams.clear();
    }
  }

  /** Ends all streams with an error, and those to come as well; with OK no longer. */
  void refuse(Status status) {
    synchronized (lock) {
      refusal = status;
      if (!status.isOk()) {
        endStreams(status);
      }
    }
  }

  /** Goes away: connections break, and new ones are refused. */
  void stop() {
    server.stop();
  }

  /** Comes back on its port, with all that it had. */
  void restart() {
    server.restart();
  }

  /** The text of the next refusal. */
  String awaitNack() {
    return nacks.next();
  }

  boolean wasRefused() {
    return !nacks.all().isEmpty();
  }

  /** Waits until somebody asks for one. */
  void awaitSubscription(String type, String name) {
    asked.next((type + " " + name)::equals);
  }

  int openStreams() {
    synchronized (lock) {
      return streams.size();
    }
  }

  @Override
  public void close() {
    stop();
  }

  // What streams call.

  void opened(AdsStream stream) {
    synchronized (lock) {
      if (refusal.isOk()) {
        streams.add(stream);
      } else {
        stream.end(refusal);
      }
    }
  }

  void ended(AdsStream stream) {
    synchronized (lock) {
      streams.remove(stream);
    }
  }

  void refused(String text) {
    nacks.add(text);
  }

  void subscribed(AdsStream stream, String type, Set<String> added) {
    synchronized (lock) {
      added.forEach(name -> asked.add(type + " " + name));
      send(stream, type, added);
    }
  }

  private void push(String type, Set<String> names) {
    List.copyOf(streams).forEach(stream -> send(stream, type, names));
  }

  private void send(AdsStream stream, String type, Set<String> changed) {
    if (!silent) {
      AdsStream.Known known =
          new AdsStream.Known(
              of(resources, type),
              of(errors, type),
              removed.computeIfAbsent(type, t -> new TreeSet<>()));
      stream.tell(type, "v" + ++version, changed, known);
    }
  }

  private static <T> Map<String, T> of(Map<String, Map<String, T>> all, String type) {
    return all.computeIfAbsent(type, t -> new TreeMap<>());
  }

  private static String name(Message message) {
    if (message instanceof Listener listener) {
      return listener.getName();
    } else if (message instanceof RouteConfiguration routes) {
      return routes.getName();
    } else if (message instanceof Cluster cluster) {
      return cluster.getName();
    } else if (message instanceof ClusterLoadAssignment endpoints) {
      return endpoints.getClusterName();
    }
    throw new IllegalArgumentException("message: " + message);
  }
}
