// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The resources that proxies held when their streams ended. A proxy that reconnects names them by
 * version alone; if the control plane does not recognise the version, the proxy loses clusters that
 * its routes still use. Loop only.
 */
public final class DisconnectedProxies {
  /** An Envoy with default settings tries to reconnect at least every 30 seconds. */
  private static final Duration KEPT = Duration.ofMinutes(2);

  private static final int MAX = 10_000;

  /** Of one node id, beside the proxy that has the id as its name. */
  private static final int MAX_NAMES = 8;

  private final TimeSource time;
  private final ConfirmedVersions confirmed = new ConfirmedVersions();
  private final Map<String, Disconnected> byNode = new LinkedHashMap<>();

  /** Tables that an earlier process of this control plane may have served to any proxy. */
  private final Map<ResourceType, List<ResourceTable>> restored = new EnumMap<>(ResourceType.class);

  /**
   * The proxies of one node id.
   *
   * @param byName several processes may use one node id; each has a name of its own
   */
  private record Disconnected(
      long until, Map<String, Map<ResourceType, List<HeldVersion>>> byName) {}

  public DisconnectedProxies(TimeSource time) {
    this.time = time;
  }

  /**
   * A stream ended.
   *
   * @param nodeId as the proxy names itself
   * @param name of the proxy, which differs if several processes use the node id
   */
  public void streamEnded(String nodeId, String name, Map<ResourceType, List<HeldVersion>> held) {
    long now = time.nanoTime();
    Iterator<Disconnected> oldest = byNode.values().iterator();
    while (oldest.hasNext()) {
      if (oldest.next().until - now > 0 && byNode.size() < MAX) {
        break;
      }
      oldest.remove();
    }
    Disconnected earlier = byNode.remove(nodeId);
    Map<String, Map<ResourceType, List<HeldVersion>>> byName =
        earlier == null ? new LinkedHashMap<>() : earlier.byName;
    Map<ResourceType, List<HeldVersion>> byType = byName.remove(name); // a stream for other types
    byType = byType == null ? new EnumMap<>(ResourceType.class) : byType;
    byType.putAll(held);
    byName.put(name, byType);
    if (byName.size() > MAX_NAMES) {
      byName.keySet().stream()
          .filter(each -> !each.equals(nodeId))
          .findFirst()
          .ifPresent(byName::remove);
    }
    byNode.put(nodeId, new Disconnected(now + KEPT.toNanos(), byName));
  }

  /**
   * Restores what an earlier process served. It served the accepted snapshot, and may have served
   * all or part of the desired one without recording the outcome; resources that only the accepted
   * snapshot has may still be there.
   *
   * @param others of which it may have served some resources in place of those
   */
  public void restore(Snapshot accepted, Snapshot desired, List<Snapshot> others) {
    restored.clear();
    for (ResourceType type : ResourceType.ALL) {
      ResourceTable[] both = {accepted.listed(type)};
      desired.listed(type).forEach(resource -> both[0] = both[0].with(resource));
      List<ResourceTable> tables = new ArrayList<>();
      tables.add(accepted.listed(type));
      tables.add(desired.listed(type));
      tables.add(both[0]);
      others.forEach(other -> tables.add(other.listed(type)));
      restored.put(type, List.copyOf(tables));
    }
  }

  /** The proxies of the earlier process have had time to reconnect. */
  public void forgetRestored() {
    restored.clear();
    confirmed.clearRestored();
  }

  /** The versions that Envoys are known to hold completely. */
  public ConfirmedVersions confirmed() {
    return confirmed;
  }

  /**
   * The resources of a type that a reconnecting node may hold.
   *
   * @param onOpenStreams from other streams of the node id that have not ended yet: a proxy may be
   *     back before the control plane notices that it was gone
   */
  public PreviousVersions of(String nodeId, ResourceType type, List<HeldVersion> onOpenStreams) {
    List<HeldVersion> held = new ArrayList<>();
    for (String name : names(nodeId)) {
      held.addAll(of(nodeId, name, type).held());
    }
    held.addAll(onOpenStreams);
    return new PreviousVersions(held, restored.getOrDefault(type, List.of()));
  }

  /** The resources of a type that one proxy held when its streams ended. */
  public PreviousVersions of(String nodeId, String name, ResourceType type) {
    Disconnected disconnected = byNode.get(nodeId);
    return new PreviousVersions(
        disconnected == null
            ? List.of()
            : disconnected.byName.getOrDefault(name, Map.of()).getOrDefault(type, List.of()),
        List.of());
  }

  /** The names of the proxies that had a node id. */
  public List<String> names(String nodeId) {
    Disconnected disconnected = byNode.get(nodeId);
    return disconnected == null ? List.of() : List.copyOf(disconnected.byName.keySet());
  }
}
