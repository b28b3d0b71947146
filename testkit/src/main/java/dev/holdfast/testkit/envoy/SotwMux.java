// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * State of the world. Per type there is one request that is kept up to date and sent whenever there
 * is something to say; while the type is paused any number of answers become one. What went wrong
 * is forgotten only when it has been sent, even if a later response was fine.
 */
final class SotwMux extends Mux {
  private final Map<String, TypeState> types = new LinkedHashMap<>();

  SotwMux(EnvoyContext world, Decoder decoder, Node node) {
    super(world, decoder, node);
  }

  @Override
  void add(Subscription subscription) {
    TypeState state = types.computeIfAbsent(subscription.type, TypeState::new);
    state.watches.addFirst(subscription);
    request(state);
  }

  @Override
  void remove(Subscription subscription) {
    TypeState state = types.get(subscription.type);
    if (state != null && state.watches.remove(subscription) && !subscription.isWildcard()) {
      request(state);
    }
  }

  @Override
  Verdict receive(Message message) {
    DiscoveryResponse response = (DiscoveryResponse) message;
    TypeState state = types.get(response.getTypeUrl());
    if (state == null) {
      return Verdict.DROPPED;
    }
    if (state.watches.isEmpty()) {
      if (response.getResourcesCount() == 0) {
        state.version = response.getVersionInfo();
      }
      state.nonce = response.getNonce();
      request(state);
      return Verdict.OK;
    }
    // Subscriptions that the response causes go out first.
    Pause pause = pause(state.type);
    try {
      Verdict verdict = apply(state, response);
      state.nonce = response.getNonce();
      state.pending = true;
      return verdict;
    } finally {
      pause.close();
    }
  }

  private Verdict apply(TypeState state, DiscoveryResponse response) {
    try {
      List<DecodedResource> all = new ArrayList<>();
      for (Any resource : response.getResourcesList()) {
        all.add(decoder.sotw(resource, response));
      }
      for (Subscription watch : List.copyOf(state.watches)) {
        if (state.watches.contains(watch)) {
          deliver(watch, all, response.getVersionInfo());
        }
      }
      state.version = response.getVersionInfo();
      return Verdict.OK;
    } catch (RejectedException e) {
      List.copyOf(state.watches).forEach(Subscription::reject);
      state.error = error(e.text());
      return Verdict.rejected(e.text());
    }
  }

  private static void deliver(Subscription watch, List<DecodedResource> all, String version) {
    if (watch.isWildcard()) {
      watch.deliverWorld(all, version);
      return;
    }
    Set<String> seen = new LinkedHashSet<>();
    List<DecodedResource> wanted = new ArrayList<>(named(all, watch.names));
    wanted.removeIf(taken -> !seen.add(taken.name())); // the first of a name wins
    if (!wanted.isEmpty()) {
      watch.deliverWorld(wanted, version);
    }
  }

  @Override
  void resumed(String type) {
    TypeState state = types.get(type);
    if (state != null && state.pending) {
      request(state);
    }
  }

  @Override
  void reconnected() {
    for (TypeState state : types.values()) {
      state.nonce = "";
    }
    types.values().forEach(this::request);
  }

  private void request(TypeState state) {
    if (isPaused(state.type)) {
      state.pending = true;
      return;
    }
    state.pending = false;
    if (!world.isConnected()) {
      return; // all are sent when there is a stream
    }
    Set<String> names = new LinkedHashSet<>();
    state.watches.forEach(watch -> names.addAll(watch.names));
    DiscoveryRequest.Builder request =
        DiscoveryRequest.newBuilder()
            .setTypeUrl(state.type)
            .setVersionInfo(state.version)
            .setResponseNonce(state.nonce)
            .addAllResourceNames(names);
    Node node = introduce();
    if (!node.getId().isEmpty()) {
      request.setNode(node);
    }
    if (state.error != null) {
      request.setErrorDetail(state.error);
      state.error = null;
    }
    world.send(request.build());
  }

  private static final class TypeState {
    final String type;

    /** The newest first, which is the order in which they are served. */
    final ArrayDeque<Subscription> watches = new ArrayDeque<>();

    String version = "";
    String nonce = "";
    @Nullable Status error;
    boolean pending;

    TypeState(String type) {
      this.type = type;
    }
  }
}
