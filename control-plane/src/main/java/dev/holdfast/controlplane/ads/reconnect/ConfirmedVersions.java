// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import dev.holdfast.config.Holder;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The SotW versions that Envoys are known to hold completely, carried over a restart of the control
 * plane.
 *
 * <p>In SotW one version names all resources of a type that a proxy holds. The proxy goes on naming
 * it when it drops a resource and subscribes to it again, so after a restart the resources of that
 * version have to be sent once more. But Envoy resubscribes only while it applies clusters,
 * listeners or extensions, before it answers them: an Envoy that had answered everything when the
 * control plane stopped holds all resources of its version. Loop only.
 */
public final class ConfirmedVersions {
  /** The types that Envoy may drop and subscribe to again; sent again unless confirmed. */
  public static final Set<ResourceType> TYPES =
      Collections.unmodifiableSet(EnumSet.of(ResourceType.SECRET, ResourceType.EXTENSION));

  private static final int MAX = 10_000;

  /** Of proxies that have not reconnected yet. */
  private final SortedMap<Holder, String> restored = new TreeMap<>();

  /** Of proxies that have, by the id of their first stream. */
  private final Map<Long, Map<ResourceType, String>> byStream = new HashMap<>();

  /** Restores the confirmed versions of an earlier process. */
  public void restore(SortedMap<Holder, String> held) {
    restored.putAll(held);
  }

  /** Proxies that reconnect later may have been connected to another control plane meanwhile. */
  void clearRestored() {
    restored.clear();
  }

  /**
   * A stream named its node. The restored versions of a node count for its first stream only.
   *
   * @param trusted whether versions on this stream may be confirmed: an aggregated one of an Envoy
   */
  public void streamOpened(long stream, String node, boolean trusted) {
    Map<ResourceType, String> versions = new HashMap<>();
    for (ResourceType type : TYPES) {
      String version = restored.remove(new Holder(node, type.typeUrl()));
      if (version != null) {
        versions.put(type, version);
      }
    }
    if (!versions.isEmpty() && trusted) {
      byStream.put(stream, versions);
    }
  }

  public void streamEnded(long stream) {
    byStream.remove(stream);
  }

  /** Whether a version that a reconnecting proxy names on a stream was confirmed. */
  public boolean contains(long stream, ResourceType type, String version) {
    return version.equals(byStream.getOrDefault(stream, Map.of()).get(type));
  }

  /**
   * All confirmed versions for the next process: those of connected proxies, and those of proxies
   * that have not reconnected.
   *
   * @param connected versions by node, none of which changes any more
   */
  public SortedMap<Holder, String> with(SortedMap<String, Map<ResourceType, String>> connected) {
    SortedMap<Holder, String> all = new TreeMap<>(restored);
    for (Map.Entry<String, Map<ResourceType, String>> proxy : connected.entrySet()) {
      if (all.size() >= MAX) {
        break;
      }
      proxy
          .getValue()
          .forEach((type, version) -> all.put(new Holder(proxy.getKey(), type.typeUrl()), version));
    }
    return Collections.unmodifiableSortedMap(all);
  }
}
