// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.reconnect.DisconnectedProxies;
import dev.holdfast.controlplane.ads.reconnect.HeldClaim;
import dev.holdfast.controlplane.ads.reconnect.PreviousVersions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The connected proxies by name. A proxy's name is its node id; if several processes use one node
 * id, they are several proxies, and those that came later are called {@code edge-1#2}, {@code
 * edge-1#3} and so on. So nothing that one of them says is taken for an answer of another. Loop
 * only.
 *
 * <p>A stream never belongs to a proxy with other rights. A node id proves nothing, and a process
 * may be back before the control plane notices that its connection is broken. A stream belongs to a
 * connected proxy with its node id if
 *
 * <ul>
 *   <li>it is on the same connection; or
 *   <li>it comes from the same host and is of the same class, and
 *       <ul>
 *         <li>it is no Envoy: some gRPC clients have a connection for each target; or
 *         <li>it is for one type, and the proxy has such streams, but none for this type; or
 *         <li>it speaks the same protocol and names versions that the proxy holds, and that no
 *             other proxy with this node id held when it disconnected: it is the same process, on a
 *             new connection.
 *       </ul>
 * </ul>
 *
 * <p>If the earlier stream speaks after that, there are two processes nevertheless: {@link
 * #separated}.
 */
public final class ConnectedProxies {
  private final DisconnectedProxies disconnected;
  private final SortedMap<String, Proxy> byName = new TreeMap<>();

  /** The eldest first. */
  private final Map<String, List<Proxy>> byNodeId = new HashMap<>();

  public ConnectedProxies(DisconnectedProxies disconnected) {
    this.disconnected = disconnected;
  }

  /** All proxies, ordered by name. */
  public Collection<Proxy> all() {
    return Collections.unmodifiableCollection(byName.values());
  }

  public @Nullable Proxy get(String name) {
    return byName.get(name);
  }

  public boolean contains(String name) {
    return byName.containsKey(name);
  }

  /** The proxies with a node id, the eldest first. */
  public List<Proxy> withNodeId(String nodeId) {
    return Collections.unmodifiableList(byNodeId.getOrDefault(nodeId, List.of()));
  }

  /** How many node ids are used by more than one proxy. */
  public int sharedNodeIds() {
    return (int) byNodeId.values().stream().filter(each -> each.size() > 1).count();
  }

  public void add(Proxy proxy) {
    byName.put(proxy.node().id(), proxy);
    byNodeId.computeIfAbsent(proxy.nodeId(), id -> new ArrayList<>(1)).add(proxy);
  }

  public void remove(Proxy proxy) {
    byName.remove(proxy.node().id());
    List<Proxy> sharing = byNodeId.get(proxy.nodeId());
    if (sharing != null && sharing.remove(proxy) && sharing.isEmpty()) {
      byNodeId.remove(proxy.nodeId());
    }
  }

  /** The proxy that a new stream belongs to; null if it belongs to none that is connected. */
  public @Nullable Proxy find(AdsStream stream, ProxyNode node, HeldClaim claim) {
    List<Proxy> sharing =
        withNodeId(node.id()).stream().filter(each -> each.hasAccess(stream.access())).toList();
    for (Proxy proxy : sharing) {
      if (proxy.hasConnection(stream.sink().address())) {
        return proxy;
      }
    }
    boolean isOther =
        rememberedName(node.id(), claim) != null
            || disconnected.withoutName(node.id(), claim) != null;
    for (Proxy proxy : sharing) {
      if (proxy.node().proxyClass().equals(node.proxyClass())
          && proxy.host().equals(Proxy.host(stream))
          && (!node.isEnvoy() || isSameEnvoy(proxy, stream, claim, isOther))) {
        return proxy;
      }
    }
    return null;
  }

  private boolean isSameEnvoy(Proxy proxy, AdsStream stream, HeldClaim claim, boolean isOther) {
    if (proxy.isContested() || !proxy.speaks(stream.protocol())) {
      return false;
    }
    if (!stream.isAggregated() && proxy.lacksStreamFor(stream)) {
      return true;
    }
    return claim.type() != null
        && !isOther
        && claim.matches(
            proxy.hasStreamWith(claim.type())
                ? new PreviousVersions(proxy.heldVersions(claim.type(), stream), List.of())
                : disconnected.of(proxy.nodeId(), proxy.node().id(), claim.type()));
  }

  /** The name of a proxy that connects: its node id if no other proxy has it. */
  public String nameFor(String nodeId, HeldClaim claim) {
    String name = rememberedName(nodeId, claim);
    if (name != null) {
      return name;
    }
    name = nodeId;
    for (int i = 2; byName.containsKey(name); i++) {
      name = nodeId + "#" + i;
    }
    return name;
  }

  /**
   * The name of a proxy that is not connected and held what another one claims to hold: of several,
   * the one that was there last. A process that was started again while its first connection seemed
   * open has another name since then.
   */
  private @Nullable String rememberedName(String nodeId, HeldClaim claim) {
    if (claim.isNothing()) {
      return null;
    }
    String found = null;
    for (String name : disconnected.names(nodeId)) {
      if (!byName.containsKey(name) && disconnected.held(nodeId, name, claim)) {
        found = name;
      }
    }
    return found;
  }

  /**
   * The process that a new proxy is, if another one has had its name in the meantime; null if it is
   * none of these. See {@link DisconnectedProxies#replaced}.
   */
  public @Nullable Long formerProcess(String nodeId, HeldClaim claim) {
    return claim.isNothing() || rememberedName(nodeId, claim) != null
        ? null
        : disconnected.withoutName(nodeId, claim);
  }

  /**
   * The later streams of a proxy that turn out to be of another process, because this one still
   * speaks. No later stream is taken for one of this proxy from now on.
   */
  public static List<AdsStream> separated(AdsStream heard, Proxy proxy) {
    if (proxy.streams().size() < 2 || !proxy.node().isEnvoy()) {
      return List.of();
    }
    List<AdsStream> others = new ArrayList<>();
    for (AdsStream other : proxy.streams()) {
      if (other.id() > heard.id() && other.competesWith(heard)) {
        others.add(other);
      }
    }
    if (!others.isEmpty()) {
      proxy.contest();
    }
    return others;
  }
}
