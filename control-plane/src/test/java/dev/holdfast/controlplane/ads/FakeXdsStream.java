// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import com.google.rpc.Status;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The other end of a stream, driven by hand: it says what it is told to, in either protocol. */
final class FakeXdsStream implements ResponseSink {
  private final AdsHarness ads;
  private final Protocol protocol;
  private final Node node;
  private final Deque<ReceivedResponse> replies = new ArrayDeque<>();
  private final Map<ResourceType, List<String>> names = new EnumMap<>(ResourceType.class);
  private final Map<ResourceType, String> accepted = new EnumMap<>(ResourceType.class);
  private @Nullable AdsStream stream;
  boolean ready = true;

  FakeXdsStream(AdsHarness ads, Protocol protocol, String id, String agent) {
    this.ads = ads;
    this.protocol = protocol;
    this.node = Node.newBuilder().setId(id).setUserAgentName(agent).build();
    ads.run(() -> stream = ads.server.open(this, protocol, null));
  }

  private AdsStream stream() {
    if (stream == null) {
      throw new AssertionError("not open");
    }
    return stream;
  }

  /** Asks for everything of a type. */
  FakeXdsStream all(ResourceType type) {
    return subscribe(type);
  }

  FakeXdsStream subscribe(ResourceType type, String... wanted) {
    names.put(type, List.of(wanted));
    return request(type, "", null, Map.of(), accepted.getOrDefault(type, ""));
  }

  /** Comes back with what it has. */
  FakeXdsStream resume(
      ResourceType type, String version, Map<String, String> versions, String... wanted) {
    names.put(type, List.of(wanted));
    return request(type, "", null, versions, version);
  }

  FakeXdsStream ack(ReceivedResponse reply) {
    accepted.put(reply.type(), reply.version());
    return request(reply.type(), reply.nonce(), null, Map.of(), reply.version());
  }

  FakeXdsStream nack(ReceivedResponse reply, String message) {
    return request(
        reply.type(), reply.nonce(), message, Map.of(), accepted.getOrDefault(reply.type(), ""));
  }

  FakeXdsStream request(
      ResourceType type,
      String nonce,
      @Nullable String error,
      Map<String, String> versions,
      String version) {
    List<String> wanted = names.getOrDefault(type, List.of());
    Status status =
        Status.newBuilder()
            .setCode(Code.INTERNAL_VALUE)
            .setMessage(error == null ? "" : error)
            .build();
    if (protocol == Protocol.SOTW) {
      DiscoveryRequest.Builder request =
          DiscoveryRequest.newBuilder()
              .setNode(node)
              .setTypeUrl(type.typeUrl())
              .addAllResourceNames(wanted)
              .setResponseNonce(nonce)
              .setVersionInfo(version);
      if (error != null) {
        request.setErrorDetail(status);
      }
      ads.run(() -> stream().onSotw(new TypedRequest<>(type, request.build())));
    } else {
      DeltaDiscoveryRequest.Builder request =
          DeltaDiscoveryRequest.newBuilder()
              .setNode(node)
              .setTypeUrl(type.typeUrl())
              .setResponseNonce(nonce)
              .putAllInitialResourceVersions(new TreeMap<>(versions));
      if (nonce.isEmpty()) {
        request.addAllResourceNamesSubscribe(wanted);
      }
      if (error != null) {
        request.setErrorDetail(status);
      }
      ads.run(() -> stream().onDelta(new TypedRequest<>(type, request.build())));
    }
    return this;
  }

  void unsubscribe(ResourceType type, String... unwanted) {
    ads.run(
        () ->
            stream()
                .onDelta(
                    new TypedRequest<>(
                        type,
                        DeltaDiscoveryRequest.newBuilder()
                            .setTypeUrl(type.typeUrl())
                            .addAllResourceNamesUnsubscribe(List.of(unwanted))
                            .build())));
  }

  /** The next response; fails if there is none. */
  ReceivedResponse next() {
    ReceivedResponse reply = replies.poll();
    if (reply == null) {
      throw new AssertionError("no response");
    }
    return reply;
  }

  /** The next response, which must be of a type, accepted. */
  ReceivedResponse accept(ResourceType type) {
    ReceivedResponse reply = next();
    if (reply.type() != type) {
      throw new AssertionError("a response of " + reply.type() + " (expected: " + type + ")");
    }
    ack(reply);
    return reply;
  }

  /** Accepts whatever comes. */
  FakeXdsStream acceptAll() {
    while (!replies.isEmpty()) {
      ack(replies.remove());
    }
    return this;
  }

  /** The version that it accepted last. */
  String acceptedVersion(ResourceType type) {
    return accepted.getOrDefault(type, "");
  }

  boolean isQuiet() {
    return replies.isEmpty();
  }

  /** What the server thinks that this end runs. */
  ResourceTable running(ResourceType type) {
    TypeStream typeStream = stream().typeStream(type);
    return typeStream == null ? ResourceTable.empty() : typeStream.running();
  }

  void becomeReady() {
    ready = true;
    ads.run(() -> stream().pump());
  }

  void close() {
    ads.run(() -> stream().close());
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public void send(ByteString response) {
    replies.add(ReceivedResponse.read(protocol, response));
  }

  @Override
  public String address() {
    return "127.0.0.1:1";
  }
}
