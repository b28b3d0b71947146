// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import com.google.rpc.Status;
import dev.holdfast.controlplane.ads.access.ClientNames;
import dev.holdfast.controlplane.ads.stream.AdsStream;
import dev.holdfast.controlplane.ads.stream.TypeStream;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.ads.wire.ResponseSink;
import dev.holdfast.controlplane.ads.wire.TypedRequest;
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

/** The proxy's end of a stream, driven by the test, in either protocol. */
public final class FakeXdsStream implements ResponseSink {
  private final AdsHarness ads;
  private final Protocol protocol;
  private final Node node;
  private final Deque<ReceivedResponse> replies = new ArrayDeque<>();
  private final Map<ResourceType, List<String>> names = new EnumMap<>(ResourceType.class);
  private final Map<ResourceType, String> accepted = new EnumMap<>(ResourceType.class);
  private @Nullable AdsStream stream;
  private String address = "127.0.0.1:1";
  private ClientNames client = ClientNames.NONE;
  public boolean ready = true;

  /** How the server ended the stream; null if it did not. */
  public io.grpc.@Nullable Status ended;

  public FakeXdsStream(AdsHarness ads, Protocol protocol, String id, String agent) {
    this.ads = ads;
    this.protocol = protocol;
    this.node = Node.newBuilder().setId(id).setUserAgentName(agent).build();
    ads.run(() -> stream = ads.server.open(this, protocol, null));
  }

  /** Shows a certificate with these names. */
  public FakeXdsStream as(String... certificateNames) {
    client = new ClientNames(List.of(certificateNames));
    return this;
  }

  @Override
  public ClientNames client() {
    return client;
  }

  /** Sets the address that the server sees. */
  public FakeXdsStream from(String other) {
    address = other;
    return this;
  }

  private AdsStream stream() {
    if (stream == null) {
      throw new AssertionError("not open");
    }
    return stream;
  }

  /** Subscribes to a type by wildcard. */
  public FakeXdsStream all(ResourceType type) {
    return subscribe(type);
  }

  public FakeXdsStream subscribe(ResourceType type, String... wanted) {
    names.put(type, List.of(wanted));
    return request(type, "", null, Map.of(), accepted.getOrDefault(type, ""));
  }

  /** Reconnects and names the versions that it holds. */
  public FakeXdsStream resume(
      ResourceType type, String version, Map<String, String> versions, String... wanted) {
    names.put(type, List.of(wanted));
    return request(type, "", null, versions, version);
  }

  public FakeXdsStream ack(ReceivedResponse reply) {
    accepted.put(reply.type(), reply.version());
    return request(reply.type(), reply.nonce(), null, Map.of(), reply.version());
  }

  public FakeXdsStream nack(ReceivedResponse reply, String message) {
    return request(
        reply.type(), reply.nonce(), message, Map.of(), accepted.getOrDefault(reply.type(), ""));
  }

  public FakeXdsStream request(
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
      ads.run(() -> stream().onSotwRequest(new TypedRequest<>(type, request.build())));
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
      ads.run(() -> stream().onDeltaRequest(new TypedRequest<>(type, request.build())));
    }
    return this;
  }

  public void unsubscribe(ResourceType type, String... unwanted) {
    ads.run(
        () ->
            stream()
                .onDeltaRequest(
                    new TypedRequest<>(
                        type,
                        DeltaDiscoveryRequest.newBuilder()
                            .setTypeUrl(type.typeUrl())
                            .addAllResourceNamesUnsubscribe(List.of(unwanted))
                            .build())));
  }

  /** The next response; fails if there is none. */
  public ReceivedResponse next() {
    ReceivedResponse reply = replies.poll();
    if (reply == null) {
      throw new AssertionError("no response");
    }
    return reply;
  }

  /** The next response, which stays the next; fails if there is none. */
  public ReceivedResponse peek() {
    ReceivedResponse reply = replies.peek();
    if (reply == null) {
      throw new AssertionError("no response");
    }
    return reply;
  }

  /** The next response, which must be of a type, accepted. */
  public ReceivedResponse accept(ResourceType type) {
    ReceivedResponse reply = next();
    if (reply.type() != type) {
      throw new AssertionError("a response of " + reply.type() + " (expected: " + type + ")");
    }
    ack(reply);
    return reply;
  }

  /** Accepts all responses, also those that follow. */
  public FakeXdsStream acceptAll() {
    while (!replies.isEmpty()) {
      ack(replies.remove());
    }
    return this;
  }

  /** The version that the proxy accepted last. */
  public String acceptedVersion(ResourceType type) {
    return accepted.getOrDefault(type, "");
  }

  public boolean isQuiet() {
    return replies.isEmpty();
  }

  /** The resources that the proxy runs, according to the server. */
  public ResourceTable running(ResourceType type) {
    TypeStream typeStream = stream().typeStream(type);
    return typeStream == null ? ResourceTable.empty() : typeStream.running();
  }

  public void becomeReady() {
    ready = true;
    ads.run(() -> stream().onReady());
  }

  public void close() {
    ads.run(() -> stream().onClosed());
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
  public void end(io.grpc.Status status) {
    ended = status;
    stream().onClosed();
  }

  @Override
  public String address() {
    return address;
  }
}
