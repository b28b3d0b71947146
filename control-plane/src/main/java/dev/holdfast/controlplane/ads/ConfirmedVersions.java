// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.config.Holder;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What Envoys have for certain, from one life of this server to the next.
 *
 * <p>In SotW one version names all that a proxy has of a type. It goes on naming it when it lets go
 * of a name and asks for it anew; so whoever finds that version has to send what it was of once
 * more. But Envoy asks anew only while it takes up clusters, listeners or extensions, and before it
 * answers on them: one that has answered on everything when this server stops has what it says.
 * Loop only.
 */
final class ConfirmedVersions {
  /** What Envoy may let go of and ask for anew, and is sent again if nobody knows better. */
  static final Set<ResourceType> SMALL = EnumSet.of(ResourceType.SECRET, ResourceType.EXTENSION);

  /** What makes Envoy ask anew. */
  private static final Set<ResourceType> STIRRING =
      EnumSet.of(ResourceType.CLUSTER, ResourceType.LISTENER, ResourceType.EXTENSION);

  private static final int MOST = 10_000;

  /** Of proxies that did not come back yet. */
  private final SortedMap<Holder, String> earlier = new TreeMap<>();

  /** Of the first streams of those that did. */
  private final Map<AdsStream, Map<ResourceType, String>> resumed = new HashMap<>();

  /** Takes up what was certain when an earlier life of this server ended. */
  void restore(SortedMap<Holder, String> held) {
    earlier.putAll(held);
  }

  /** Whoever is not back by now may have been elsewhere. */
  void forget() {
    earlier.clear();
  }

  /** A stream says whose it is: what was certain of that proxy counts for this one only. */
  void joined(AdsStream stream, ProxyNode node) {
    Map<ResourceType, String> versions = new HashMap<>();
    for (ResourceType type : SMALL) {
      String version = earlier.remove(new Holder(node.id(), type.typeUrl()));
      if (version != null) {
        versions.put(type, version);
      }
    }
    if (!versions.isEmpty() && stream.isAggregated() && node.isEnvoy()) {
      resumed.put(stream, versions);
    }
  }

  void left(AdsStream stream) {
    resumed.remove(stream);
  }

  /** Whether a proxy that comes back with a version of a type has all that this was of. */
  boolean has(AdsStream stream, ResourceType type, String version) {
    Map<ResourceType, String> versions = resumed.getOrDefault(stream, Map.of());
    return version.equals(versions.get(type)) && !wasStirred(stream);
  }

  private static boolean wasStirred(AdsStream stream) {
    for (TypeStream typeStream : stream.typeStreams()) {
      if (STIRRING.contains(typeStream.type()) && !typeStream.sentVersion().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** What is certain of these proxies, and of those that did not come back, if no more is sent. */
  SortedMap<Holder, String> of(Collection<Proxy> proxies) {
    SortedMap<Holder, String> certain = new TreeMap<>(earlier);
    for (Proxy proxy : proxies) {
      if (certain.size() >= MOST) {
        break;
      }
      if (isPlain(proxy)) {
        for (TypeStream typeStream : proxy.streams().get(0).typeStreams()) {
          String version = typeStream.acceptedVersion();
          if (SMALL.contains(typeStream.type())
              && typeStream.running().version().equals(Nonces.digest(version))) {
            certain.put(new Holder(proxy.node().id(), typeStream.type().typeUrl()), version);
          }
        }
      }
    }
    return Collections.unmodifiableSortedMap(certain);
  }

  /** Whether a proxy is an Envoy that has one stream, and has taken all that it was sent on it. */
  private static boolean isPlain(Proxy proxy) {
    if (!proxy.node().isEnvoy() || proxy.streams().size() != 1) {
      return false;
    }
    AdsStream stream = proxy.streams().get(0);
    if (stream.protocol() != Protocol.SOTW || !stream.isAggregated() || !stream.isNamed()) {
      return false;
    }
    for (TypeStream typeStream : stream.typeStreams()) {
      if (!typeStream.isSettled() || typeStream.lastError() != null) {
        return false;
      }
    }
    return true;
  }
}
