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
import org.jspecify.annotations.Nullable;

/**
 * The resources that proxies held when their streams ended. A proxy that reconnects names them by
 * version alone; if the control plane does not recognise the version, the proxy loses clusters that
 * its routes still use. Loop only.
 */
public final class DisconnectedProxies {
  /** An Envoy with default settings tries to reconnect at least every 30 seconds. */
  private static final Duration KEPT = Duration.ofMinutes(2);

  private static final int MAX = 10_000;

  /** Of one node id. */
  private static final int MAX_PROCESSES = 9;

  private final TimeSource time;
  private final ConfirmedVersions confirmed = new ConfirmedVersions();
  private final Map<String, Disconnected> byNode = new LinkedHashMap<>();

  /** Tables that an earlier process of this control plane may have served to any proxy. */
  private final Map<ResourceType, List<ResourceTable>> restored = new EnumMap<>(ResourceType.class);

  private long lastProcess;

  /**
   * The processes that had one node id.
   *
   * @param processes the one that was there last is the last
   */
  private record Disconnected(long until, List<EndedProcess> processes) {}

  public DisconnectedProxies(TimeSource time) {
    this.time = time;
  }

  /**
   * A stream ended.
   *
   * @param nodeId as the proxy names itself
   * @param name of the proxy, which differs if several processes use the node id
   * @param isDelta the protocol, which no process changes
   */
  public void streamEnded(
      String nodeId, String name, boolean isDelta, Map<ResourceType, List<HeldVersion>> held) {
    long now = time.nanoTime();
    Iterator<Disconnected> oldest = byNode.values().iterator();
    while (oldest.hasNext()) {
      if (oldest.next().until - now > 0 && byNode.size() < MAX) {
        break;
      }
      oldest.remove();
    }
    Disconnected earlier = byNode.remove(nodeId);
    List<EndedProcess> processes = earlier == null ? new ArrayList<>(1) : earlier.processes;
    EndedProcess process = current(processes, name);
    if (process != null && process.isDelta() != isDelta) {
      process.loseName();
      process = null;
    }
    if (process == null) {
      process = new EndedProcess(++lastProcess, name, isDelta);
    }
    processes.remove(process);
    process.held().putAll(held); // there may have been a stream for other types
    processes.add(process);
    if (processes.size() > MAX_PROCESSES) {
      processes.stream()
          .filter(each -> each.isReplaced() || !each.name().equals(nodeId))
          .findFirst()
          .ifPresent(processes::remove);
    }
    byNode.put(nodeId, new Disconnected(now + KEPT.toNanos(), processes));
  }

  private List<EndedProcess> processes(String nodeId) {
    Disconnected disconnected = byNode.get(nodeId);
    return disconnected == null ? List.of() : disconnected.processes;
  }

  private static @Nullable EndedProcess current(List<EndedProcess> processes, String name) {
    for (EndedProcess each : processes) {
      if (!each.isReplaced() && each.name().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /**
   * Another process has the name of one that is not connected. That one is remembered without a
   * name: it may have ended, or be back later.
   *
   * @return a number for it; null if none had the name
   */
  public @Nullable Long replaced(String nodeId, String name) {
    EndedProcess process = current(processes(nodeId), name);
    if (process == null) {
      return null;
    }
    process.loseName();
    return process.id();
  }

  /** The process without a name that held what a proxy claims to hold; null if there is none. */
  public @Nullable Long withoutName(String nodeId, HeldClaim claim) {
    Long found = null;
    for (EndedProcess each : processes(nodeId)) {
      if (each.isReplaced() && each.matches(claim)) {
        found = each.id();
      }
    }
    return found;
  }

  /** A process without a name is back, and has one again. */
  public void isBack(String nodeId, long process, String name) {
    for (EndedProcess each : processes(nodeId)) {
      if (each.id() == process) {
        each.isBack(name);
      }
    }
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
    for (EndedProcess each : processes(nodeId)) {
      held.addAll(each.held(type));
    }
    held.addAll(onOpenStreams);
    return new PreviousVersions(held, restored.getOrDefault(type, List.of()));
  }

  /** The resources of a type that one proxy held when its streams ended. */
  public PreviousVersions of(String nodeId, String name, ResourceType type) {
    EndedProcess process = current(processes(nodeId), name);
    return new PreviousVersions(process == null ? List.of() : process.held(type), List.of());
  }

  /** The same, and before that what earlier processes of that name held. */
  public List<HeldVersion> everHeld(String nodeId, String name, ResourceType type) {
    List<HeldVersion> held = new ArrayList<>();
    for (EndedProcess each : processes(nodeId)) {
      if (each.isReplaced() && each.name().equals(name)) {
        held.addAll(each.held(type));
      }
    }
    held.addAll(of(nodeId, name, type).held());
    return held;
  }

  /** Whether a proxy that is not connected held what another one claims to hold. */
  public boolean held(String nodeId, String name, HeldClaim claim) {
    EndedProcess process = current(processes(nodeId), name);
    return process != null && process.matches(claim);
  }

  /** The names of the proxies that had a node id. */
  public List<String> names(String nodeId) {
    return processes(nodeId).stream()
        .filter(each -> !each.isReplaced())
        .map(EndedProcess::name)
        .toList();
  }
}
