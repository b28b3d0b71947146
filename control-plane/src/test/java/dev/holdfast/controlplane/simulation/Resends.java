// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Bytes that a process refused, and the control plane knows it, do not come to it again. */
final class Resends {
  /** What is known to be refused; by process. */
  private final Map<String, Set<Any>> refused = new HashMap<>();

  /** What would not be known after a crash. */
  private final Map<String, Set<Any>> unstored = new HashMap<>();

  /** The last response of each type on each stream. */
  private final IdentityHashMap<Link, Map<String, Response>> last = new IdentityHashMap<>();

  /** The streams on which something was said. */
  private final Set<Link> heard = Collections.newSetFromMap(new IdentityHashMap<>());

  private record Response(String nonce, String version, List<Any> resources) {}

  void delivered(Network.Delivery delivery) {
    Message message = delivery.message();
    if (!(delivery.link().owner instanceof Member member)) {
      return; // our clients refuse nothing
    }
    if (delivery.link().isMistaken()) { // nobody knows any more who refused it
      refused.remove(process(delivery.link()));
      unstored.remove(process(delivery.link()));
    }
    if (message != null && delivery.up() && heard.add(delivery.link()) && holdsNothing(message)) {
      refused.remove(process(delivery.link()));
      unstored.remove(process(delivery.link()));
    }
    if (message instanceof DiscoveryResponse response) {
      arrived(
          delivery.link(),
          response.getTypeUrl(),
          new Response(
              response.getNonce(), response.getVersionInfo(), response.getResourcesList()));
    } else if (message instanceof DeltaDiscoveryResponse response) {
      arrived(
          delivery.link(),
          response.getTypeUrl(),
          new Response(
              response.getNonce(),
              "",
              response.getResourcesList().stream().map(Resource::getResource).toList()));
    } else if (message instanceof DiscoveryRequest request && request.hasErrorDetail()) {
      refused(
          member,
          delivery.link(),
          request.getTypeUrl(),
          request.getResponseNonce(),
          request.getVersionInfo());
    } else if (message instanceof DeltaDiscoveryRequest request && request.hasErrorDetail()) {
      refused(member, delivery.link(), request.getTypeUrl(), request.getResponseNonce(), null);
    }
  }

  /** Of two processes nobody knows any more which of them refused what. */
  void indistinct(Peer one, Peer other) {
    for (Peer each : List.of(one, other)) {
      refused.remove(each.id() + "#" + each.process());
      unstored.remove(each.id() + "#" + each.process());
    }
  }

  /**
   * Whether this is the first that a process says on a stream, over Delta, and it holds something.
   */
  boolean isClaim(Network.Delivery delivery) {
    return delivery.up()
        && delivery.message() instanceof DeltaDiscoveryRequest request
        && !heard.contains(delivery.link())
        && !holdsNothing(request);
  }

  /** Whether the first request on a stream cannot be told from one of a new process. */
  private static boolean holdsNothing(Message first) {
    return first instanceof DiscoveryRequest request
        ? request.getVersionInfo().isEmpty()
        : ((DeltaDiscoveryRequest) first).getInitialResourceVersionsCount() == 0;
  }

  private static String process(Link link) {
    return link.owner.id() + "#" + link.process;
  }

  private void arrived(Link link, String type, Response response) {
    last.computeIfAbsent(link, unused -> new HashMap<>()).put(type, response);
    for (Set<Any> known : List.of(of(refused, link), of(unstored, link))) {
      if (!known.isEmpty()) {
        for (Any resource : response.resources()) {
          if (known.contains(resource)) {
            throw new Broken(link + " is sent again what it refused, of " + type);
          }
        }
      }
    }
  }

  /**
   * A refusal arrived. It tells nothing if a later response is out already, and too little if it
   * may be about one of several things; then each is sent once more, alone.
   */
  private void refused(
      Member member, Link link, String type, String nonce, @Nullable String version) {
    Response response = last.getOrDefault(link, Map.of()).get(type);
    if (response == null
        || !response.nonce().equals(nonce)
        || !link.isLast(type, nonce)
        || (version != null && response.version().equals(version))) {
      return;
    }
    if (type.equals(TypeUrls.CLUSTER_LOAD_ASSIGNMENT)) {
      return; // a cluster that warms again asks for them again, whatever was refused
    }
    boolean named = type.equals(TypeUrls.CLUSTER) || type.equals(TypeUrls.LISTENER);
    if (named || response.resources().size() == 1) {
      for (Any resource : response.resources()) {
        if (member.refused(resource)) {
          unstored.computeIfAbsent(process(link), unused -> new HashSet<>()).add(resource);
        }
      }
    }
  }

  private static Set<Any> of(Map<String, Set<Any>> sets, Link link) {
    return sets.getOrDefault(process(link), Set.of());
  }

  /** All that the control plane knows is durable. */
  void stored() {
    unstored.forEach(
        (process, resources) ->
            refused.computeIfAbsent(process, unused -> new HashSet<>()).addAll(resources));
    unstored.clear();
  }

  /**
   * @param shared proxies whose node ids others use: what these refused is not durable, because
   *     nobody could tell which of them it was
   */
  void crashed(Set<String> shared) {
    unstored.clear();
    refused.keySet().removeIf(process -> shared.contains(process.split("#", -1)[0]));
  }
}
