// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Increments. Every response has an answer of its own, in order, except that those of a paused type
 * wait and let others pass; answers go before mere subscriptions. Versions are noted only when a
 * whole response was taken.
 */
final class DeltaMux extends Mux {
  private final Map<String, DeltaType> types = new LinkedHashMap<>();
  private final ArrayDeque<Answer> answers = new ArrayDeque<>();

  DeltaMux(EnvoyContext world, Decoder decoder, Node node) {
    super(world, decoder, node);
  }

  /** Before 1.38 the wish to say it once was not heard in Delta. */
  @Override
  boolean isTalkative(Node self) {
    var version = self.getUserAgentBuildVersion().getVersion();
    return version.getMajorNumber() == 1 && version.getMinorNumber() < 38;
  }

  @Override
  void add(Subscription subscription) {
    types.computeIfAbsent(subscription.type, DeltaType::new).add(subscription);
    flush();
  }

  @Override
  void remove(Subscription subscription) {
    DeltaType type = types.get(subscription.type);
    if (type != null) {
      type.remove(subscription);
      flush();
    }
  }

  @Override
  void resumed(String type) {
    flush();
  }

  @Override
  void reconnected() {
    answers.clear();
    types.values().forEach(DeltaType::newStream);
    flush();
  }

  @Override
  Verdict receive(Message message) {
    DeltaDiscoveryResponse response = (DeltaDiscoveryResponse) message;
    DeltaType type = types.get(response.getTypeUrl());
    if (type == null) {
      return Verdict.DROPPED;
    }
    Verdict verdict = Verdict.OK;
    Status error = null;
    try {
      apply(type, response);
      type.note(response);
    } catch (RejectedException e) {
      type.watches().forEach(Subscription::reject);
      verdict = Verdict.rejected(e.text());
      error = error(e.text());
    }
    answers.add(new Answer(type, response.getNonce(), error));
    flush();
    return verdict;
  }

  private void apply(DeltaType type, DeltaDiscoveryResponse response) {
    checkNames(response);
    Map<Subscription, List<DecodedResource>> added = new LinkedHashMap<>();
    Map<Subscription, List<String>> removed = new LinkedHashMap<>();
    for (Resource resource : response.getResourcesList()) {
      List<Subscription> interested = type.interestedIn(resource.getName());
      if (!interested.isEmpty()) { // what nobody wants is not even decoded
        DecodedResource taken = decoder.delta(resource, response);
        interested.forEach(watch -> list(added, watch).add(taken));
      }
    }
    for (String name : response.getRemovedResourcesList()) {
      type.interestedIn(name).forEach(watch -> list(removed, watch).add(name));
    }
    if (response.getResourcesCount() == 0 && response.getRemovedResourcesCount() == 0) {
      type.watches().stream()
          .filter(Subscription::hearsOfNothing)
          .forEach(watch -> added.put(watch, List.of()));
    }
    String version = response.getSystemVersionInfo();
    added.forEach(
        (watch, resources) -> {
          if (type.has(watch)) {
            List<String> gone = removed.remove(watch);
            watch.deliver(resources, gone == null ? List.of() : gone, version);
          }
        });
    removed.forEach(
        (watch, names) -> {
          if (type.has(watch)) {
            watch.deliver(List.of(), names, version);
          }
        });
  }

  private static void checkNames(DeltaDiscoveryResponse response) {
    Set<String> names = new HashSet<>();
    for (Resource resource : response.getResourcesList()) {
      if (!names.add(resource.getName())) {
        throw new RejectedException(
            "duplicate name %s found among added/updated resources".formatted(resource.getName()));
      }
    }
    for (String name : response.getRemovedResourcesList()) {
      if (!names.add(name)) {
        throw new RejectedException(
            "duplicate name %s found in the union of added+removed resources".formatted(name));
      }
    }
  }

  private static <T> List<T> list(Map<Subscription, List<T>> lists, Subscription watch) {
    return lists.computeIfAbsent(watch, w -> new ArrayList<>());
  }

  private void flush() {
    while (world.isConnected()) {
      Answer answer =
          answers.stream().filter(next -> !isPaused(next.type.name)).findFirst().orElse(null);
      if (answer != null) {
        answers.remove(answer);
        send(answer.type, answer.nonce, answer.error);
        continue;
      }
      DeltaType eager =
          types.values().stream()
              .filter(type -> type.hasNews() && !isPaused(type.name))
              .findFirst()
              .orElse(null);
      if (eager == null) {
        return;
      }
      send(eager, "", null);
    }
  }

  private void send(DeltaType type, String nonce, @Nullable Status error) {
    DeltaDiscoveryRequest.Builder request = type.news().setResponseNonce(nonce);
    Node node = introduce();
    if (!node.getId().isEmpty()) {
      request.setNode(node);
    }
    if (error != null) {
      request.setErrorDetail(error);
    }
    world.send(request.build());
  }

  private record Answer(DeltaType type, String nonce, @Nullable Status error) {}
}
