// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * What each proxy rejected, also of proxies that are not connected. The table is bounded: the
 * rejections of proxies that are gone are forgotten first, then the eldest of the proxy that has
 * most. Of what is forgotten, the proxy may be sent the bytes once more. Loop only.
 */
public final class RejectionTable {
  /** How many proxies are remembered after they disconnect. */
  static final int MAX_PROXIES = 10_000;

  static final long MAX_WEIGHT = 32 << 20;

  private final Map<String, RejectedVersions> byNode = new LinkedHashMap<>();

  /** Of processes whose names others have now, by their numbers. */
  private final Map<Long, RejectedVersions> withoutName = new LinkedHashMap<>();

  private final Predicate<String> isConnected;
  private final long most;
  private long weight;

  /**
   * @param isConnected whether a node is connected
   */
  public RejectionTable(Predicate<String> isConnected) {
    this(isConnected, Math.min(MAX_WEIGHT, Runtime.getRuntime().maxMemory() / 16));
  }

  /**
   * @param most about how many bytes all rejections may take
   */
  RejectionTable(Predicate<String> isConnected, long most) {
    this.isConnected = isConnected;
    this.most = most;
  }

  /** Those of a node, to which more can be added. */
  public RejectedVersions of(String node) {
    RejectedVersions known = byNode.get(node);
    if (known == null) {
      known = new RejectedVersions(this::weighed);
      byNode.put(node, known);
      forgetTooMany();
    }
    return known;
  }

  /** Keeps what a process rejected whose name another one has now. */
  public void setAside(long process, Map<RejectedVersions.Key, RejectedVersions.Reason> rejected) {
    if (rejected.isEmpty()) {
      return;
    }
    RejectedVersions kept = new RejectedVersions(unused -> {});
    rejected.forEach(
        (key, reason) -> kept.add(key.id(), key.version(), reason.message(), reason.at()));
    withoutName.put(process, kept);
    weight += kept.weight();
    if (withoutName.size() > MAX_PROXIES) {
      forgetEldestWithoutName();
    }
    if (weight > most) {
      trim();
    }
  }

  /** A process is back, and has a name again: what it rejected belongs to this name. */
  public void takeBack(long process, String node) {
    RejectedVersions kept = withoutName.remove(process);
    if (kept != null) {
      of(node).addAll(kept);
      weight -= kept.weight();
    }
  }

  private void forgetEldestWithoutName() {
    Iterator<RejectedVersions> eldest = withoutName.values().iterator();
    weight -= eldest.next().weight();
    eldest.remove();
  }

  private void weighed(long change) {
    weight += change;
    if (change > 0 && weight > most) {
      trim();
    }
  }

  /** A node has disconnected. */
  public void left(String node) {
    RejectedVersions rejected = byNode.remove(node);
    if (rejected != null && !rejected.isForgettable()) {
      byNode.put(node, rejected); // now the youngest of those that are gone
      forgetTooMany();
    }
  }

  private void forgetTooMany() {
    Iterator<Map.Entry<String, RejectedVersions>> eldest = byNode.entrySet().iterator();
    int gone = byNode.size() - MAX_PROXIES;
    while (gone > 0 && eldest.hasNext()) {
      Map.Entry<String, RejectedVersions> next = eldest.next();
      if (!isConnected.test(next.getKey())) {
        weight -= next.getValue().weight();
        eldest.remove();
        gone--;
      }
    }
  }

  private void trim() {
    while (weight > most && !withoutName.isEmpty()) {
      forgetEldestWithoutName();
    }
    Iterator<Map.Entry<String, RejectedVersions>> eldest = byNode.entrySet().iterator();
    while (weight > most && eldest.hasNext()) {
      Map.Entry<String, RejectedVersions> next = eldest.next();
      if (!isConnected.test(next.getKey()) && next.getValue().weight() > 0) {
        weight -= next.getValue().weight();
        eldest.remove();
      }
    }
    while (weight > most) {
      RejectedVersions heaviest = null;
      for (RejectedVersions each : byNode.values()) {
        heaviest = heaviest == null || each.weight() > heaviest.weight() ? each : heaviest;
      }
      if (heaviest == null || heaviest.weight() == 0) {
        return;
      }
      heaviest.forgetHalf();
    }
  }

  public void forEach(BiConsumer<String, RejectedVersions> action) {
    byNode.forEach(action);
  }

  /** Processes whose names others have now may be sent all versions of a resource again but one. */
  public void forgetWithoutName(ResourceId id, String kept) {
    for (RejectedVersions each : withoutName.values()) {
      long before = each.weight();
      each.forgetExcept(id, kept);
      weight += each.weight() - before;
    }
  }

  int size() {
    return byNode.size();
  }

  long weight() {
    return weight;
  }
}
