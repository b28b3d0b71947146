// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import dev.holdfast.xds.client.transport.XdsTransportFactory;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A control plane without a wire: answers requests with what the test has put there, one response
 * for each time that other names of a type are asked for, and whenever the test says so.
 */
final class ScriptedServer implements XdsTransportFactory {
  private final Map<String, Map<String, Message>> resources = new HashMap<>();
  private final Map<String, com.google.rpc.Status> errors = new LinkedHashMap<>();
  private final Set<String> silent = new HashSet<>();
  private @Nullable FakeStream stream;
  private XdsTransport.@Nullable Listener health;
  private int nonce;

  void put(String name, Message resource) {
    resources
        .computeIfAbsent(TypeUrls.of(resource), type -> new LinkedHashMap<>())
        .put(name, resource);
  }

  void remove(String type, String name) {
    resources.getOrDefault(type, new HashMap<>()).remove(name);
  }

  /** An error in place of a resource (xRFC TP3), in all further responses. */
  void refuse(String name, Status.Code code, String text) {
    errors.put(
        name, com.google.rpc.Status.newBuilder().setCode(code.value()).setMessage(text).build());
  }

  /** Requests of a type are not answered from now on. */
  void silence(String type) {
    silent.add(type);
  }

  /** Sends what it has of a type once more. */
  void push(String type) {
    open().answer(type);
  }

  /** Sends whatever bytes the test likes as a resource of a type. */
  void push(String type, Any resource) {
    open().deliver(SotwResponse.of(type, "v", "n" + ++nonce).withRaw(resource));
  }

  /** The connection breaks and is not made again. */
  void lose(String why) {
    FakeStream broken = open();
    stream = null;
    broken.listener.onClosed(Status.UNAVAILABLE.withDescription(why));
    if (health != null) {
      health.onTransientFailure(Status.UNAVAILABLE.withDescription(why));
    }
  }

  boolean hasStream() {
    return stream != null;
  }

  private FakeStream open() {
    if (stream == null) {
      throw new AssertionError("no stream");
    }
    return stream;
  }

  @Override
  public XdsTransport create(ServerConfig server, XdsTransport.Listener listener) {
    health = listener;
    return new XdsTransport() {
      @Override
      public Stream open(AdsProtocol protocol, StreamListener streamListener) {
        stream = new FakeStream(streamListener);
        return stream;
      }

      @Override
      public void close() {
        stream = null;
      }
    };
  }

  private final class FakeStream implements XdsTransport.Stream {
    final XdsTransport.StreamListener listener;
    private final Map<String, List<String>> asked = new HashMap<>();
    private final ArrayDeque<ByteString> waiting = new ArrayDeque<>();
    private boolean wanted;

    FakeStream(XdsTransport.StreamListener listener) {
      this.listener = listener;
    }

    @Override
    public void send(Message message) {
      DiscoveryRequest request = (DiscoveryRequest) message;
      List<String> names = List.copyOf(request.getResourceNamesList());
      boolean news = !names.equals(asked.put(request.getTypeUrl(), names));
      listener.onSent();
      if (news && !names.isEmpty() && !silent.contains(request.getTypeUrl())) {
        answer(request.getTypeUrl());
      }
    }

    void answer(String type) {
      SotwResponse response = SotwResponse.of(type, "v", "n" + ++nonce);
      Map<String, Message> known = resources.getOrDefault(type, Map.of());
      for (String name : asked.getOrDefault(type, List.of())) {
        Message resource = known.get(name);
        com.google.rpc.Status error = errors.get(name);
        if (resource != null) {
          response.with(resource);
        } else if (error != null) {
          response.withError(
              name, Status.fromCodeValue(error.getCode()).getCode(), error.getMessage());
        }
      }
      deliver(response);
    }

    void deliver(SotwResponse response) {
      waiting.add(response.build().toByteString());
      flush();
    }

    @Override
    public void requestNext() {
      wanted = true;
      flush();
    }

    private void flush() {
      if (wanted && !waiting.isEmpty()) {
        wanted = false;
        listener.onResponse(waiting.remove());
      }
    }

    @Override
    public void cancel(String reason) {
      waiting.clear();
    }
  }
}
