// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.testkit.DeltaResponse;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.Status;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The server's end of one ADS stream, whichever variant of the protocol is spoken on it. A
 * {@linkplain #push push} names what changes; where the protocol wants the whole world (listeners
 * and clusters in SotW) everything pushed before goes along.
 */
abstract class Script {
  private final Map<String, Map<String, Message>> world = new LinkedHashMap<>();
  private int pushes;

  /** The next stream that the client opens. */
  static Script next(FakeAdsServer server, boolean delta) {
    return delta ? new Delta(server.awaitDeltaStream()) : new Sotw(server.awaitStream());
  }

  /** Sends resources of one type; see {@link Push} for what came of it. */
  final Push push(Message... resources) {
    return push(TypeUrls.of(resources[0]), List.of(resources), List.of());
  }

  /** Says that resources are no more; in SotW only listeners and clusters can be. */
  final Push remove(String type, String... names) {
    return push(type, List.of(), List.of(names));
  }

  final Push push(String type, List<? extends Message> changed, List<String> removed) {
    Map<String, Message> all = world.computeIfAbsent(type, t -> new LinkedHashMap<>());
    changed.forEach(resource -> all.put(name(resource), resource));
    removed.forEach(all::remove);
    String nonce = "n" + ++pushes;
    boolean whole = type.equals(TypeUrls.CLUSTER) || type.equals(TypeUrls.LISTENER);
    send(type, nonce, whole ? List.copyOf(all.values()) : changed, changed, removed);
    return new Push(this, type, nonce);
  }

  /** Sends entries that need not be what they seem; in SotW nothing else goes along. */
  final Push pushRaw(String type, Map<String, Any> entries) {
    return raw(type, List.copyOf(new TreeMap<>(entries).entrySet()));
  }

  /** Sends two resources of the same name. */
  final Push pushTwice(Message first, Message second) {
    String name = name(first);
    return raw(
        TypeUrls.of(first),
        List.of(Map.entry(name, Any.pack(first)), Map.entry(name, Any.pack(second))));
  }

  private Push raw(String type, List<Map.Entry<String, Any>> entries) {
    String nonce = "n" + ++pushes;
    sendRaw(type, nonce, entries);
    return new Push(this, type, nonce);
  }

  abstract void sendRaw(String type, String nonce, List<Map.Entry<String, Any>> entries);

  /** All that the client asked on this stream. */
  abstract List<Ask> asks();

  /** Waits until what the client asked is as wanted. */
  abstract List<Ask> awaitAsks(Predicate<? super List<Ask>> wanted);

  abstract void close(Status status);

  /** {@code all} is what SotW sends, {@code changed} and {@code removed} what Delta does. */
  abstract void send(
      String type,
      String nonce,
      List<? extends Message> all,
      List<? extends Message> changed,
      List<String> removed);

  /** Waits until the client has asked for a type, and in it for names if there are any. */
  final void awaitSubscription(String type, String... names) {
    awaitAsks(
        asks ->
            asks.stream().anyMatch(ask -> ask.type().equals(type))
                && Arrays.stream(names)
                    .allMatch(
                        name ->
                            asks.stream()
                                .anyMatch(
                                    ask -> ask.type().equals(type) && ask.names().contains(name))));
  }

  private static String name(Message resource) {
    var type = resource.getDescriptorForType();
    var field = type.findFieldByName("name");
    return (String) resource.getField(field == null ? type.findFieldByName("cluster_name") : field);
  }

  /**
   * A response that was sent.
   *
   * @param script on which stream
   * @param type of what
   * @param nonce its nonce, which is its version, too
   */
  record Push(Script script, String type, String nonce) {
    /** The answer, waiting for it if need be. */
    Ask verdict() {
      return script.awaitAsks(asks -> asks.stream().anyMatch(this::isAnswer)).stream()
          .filter(this::isAnswer)
          .findFirst()
          .orElseThrow();
    }

    /** Whether there is an answer by now. */
    boolean isAnswered() {
      return script.asks().stream().anyMatch(this::isAnswer);
    }

    private boolean isAnswer(Ask ask) {
      return ask.type().equals(type) && ask.nonce().equals(nonce);
    }

    /** Waits for the answer, which must be an ACK. */
    void acked() {
      Ask verdict = verdict();
      if (verdict.isNack()) {
        throw new AssertionError(verdict.shortType() + " " + nonce + ": " + verdict.reason());
      }
    }

    /** Waits for the answer, which must be a NACK, and returns its text. */
    String nacked() {
      Ask verdict = verdict();
      if (!verdict.isNack()) {
        throw new AssertionError(verdict.shortType() + " " + nonce + " was accepted");
      }
      return verdict.reason();
    }
  }

  private static final class Sotw extends Script {
    private final FakeStream<DiscoveryRequest, DiscoveryResponse> stream;

    Sotw(FakeStream<DiscoveryRequest, DiscoveryResponse> stream) {
      this.stream = stream;
    }

    @Override
    void send(
        String type,
        String nonce,
        List<? extends Message> all,
        List<? extends Message> changed,
        List<String> removed) {
      stream.send(SotwResponse.of(type, nonce, nonce).with(all.toArray(new Message[0])).build());
    }

    @Override
    void sendRaw(String type, String nonce, List<Map.Entry<String, Any>> entries) {
      SotwResponse response = SotwResponse.of(type, nonce, nonce);
      entries.forEach(entry -> response.withRaw(entry.getValue()));
      stream.send(response.build());
    }

    @Override
    List<Ask> asks() {
      return stream.requests().stream().map(Ask::of).toList();
    }

    @Override
    List<Ask> awaitAsks(Predicate<? super List<Ask>> wanted) {
      return stream
          .awaitRequests(requests -> wanted.test(requests.stream().map(Ask::of).toList()))
          .stream()
          .map(Ask::of)
          .toList();
    }

    @Override
    void close(Status status) {
      stream.close(status);
    }
  }

  private static final class Delta extends Script {
    private final FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream;

    Delta(FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream) {
      this.stream = stream;
    }

    @Override
    void send(
        String type,
        String nonce,
        List<? extends Message> all,
        List<? extends Message> changed,
        List<String> removed) {
      DeltaResponse response = DeltaResponse.of(type, nonce, nonce);
      changed.forEach(resource -> response.with(name(resource), nonce, resource));
      stream.send(response.without(removed.toArray(new String[0])).build());
    }

    @Override
    void sendRaw(String type, String nonce, List<Map.Entry<String, Any>> entries) {
      DeltaResponse response = DeltaResponse.of(type, nonce, nonce);
      entries.forEach(
          entry ->
              response.withRaw(
                  Resource.newBuilder()
                      .setName(entry.getKey())
                      .setVersion(nonce)
                      .setResource(entry.getValue())
                      .build()));
      stream.send(response.build());
    }

    @Override
    List<Ask> asks() {
      return stream.requests().stream().map(Ask::of).toList();
    }

    @Override
    List<Ask> awaitAsks(Predicate<? super List<Ask>> wanted) {
      return stream
          .awaitRequests(requests -> wanted.test(requests.stream().map(Ask::of).toList()))
          .stream()
          .map(Ask::of)
          .toList();
    }

    @Override
    void close(Status status) {
      stream.close(status);
    }
  }
}
