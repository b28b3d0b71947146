// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.snapshot.Resource;
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
 * What proxies had when their streams ended. Who comes back names it by version alone; who is not
 * recognised by it loses clusters that its routes still refer to. Loop only.
 */
final class DisconnectedProxies {
  /** A proxy tries to come back at least every half minute unless it is told otherwise. */
  private static final Duration KEPT = Duration.ofMinutes(2);

  private static final int MOST = 10_000;

  private final TimeSource time;
  private final ConfirmedVersions certain = new ConfirmedVersions();
  private final Map<String, Had> byNode = new LinkedHashMap<>();

  /** What all of them may have run that came to an earlier life of this server. */
  private final Map<ResourceType, List<ResourceTable>> earlier = new EnumMap<>(ResourceType.class);

  private record Had(long until, Map<ResourceType, List<HeldVersion>> byType) {}

  DisconnectedProxies(TimeSource time) {
    this.time = time;
  }

  /** A stream ended. */
  void left(AdsStream stream) {
    certain.left(stream);
    long now = time.nanoTime();
    Iterator<Had> oldest = byNode.values().iterator();
    while (oldest.hasNext()) {
      if (oldest.next().until - now > 0 && byNode.size() < MOST) {
        break;
      }
      oldest.remove();
    }
    String node = stream.node().id();
    Map<ResourceType, List<HeldVersion>> byType = new EnumMap<>(ResourceType.class);
    Had other = byNode.remove(node); // a stream for other types
    if (other != null) {
      byType.putAll(other.byType);
    }
    stream.typeStreams().forEach(typeStream -> byType.put(typeStream.type(), typeStream.mayHold()));
    byNode.put(node, new Had(now + KEPT.toNanos(), byType));
  }

  /**
   * An earlier life of this server showed what was accepted. It may have shown all that is wanted,
   * and have ended before it could note what came of it: what was there besides may not have gone
   * yet.
   */
  void mayHaveBeenShown(Snapshot accepted, Snapshot wanted) {
    earlier.clear();
    for (ResourceType type : ResourceType.ALL) {
      ResourceTable[] both = {accepted.listed(type)};
      wanted.listed(type).forEach(resource -> both[0] = both[0].with(resource));
      earlier.put(type, List.of(accepted.listed(type), wanted.listed(type), both[0]));
    }
  }

  /** Whoever is not back by now comes from elsewhere. */
  void forgetEarlier() {
    earlier.clear();
    certain.forget();
  }

  /** What Envoys had when an earlier life of this server ended in good order. */
  ConfirmedVersions certain() {
    return certain;
  }

  /** What the proxy of a stream had of a type on others of its own: the newest last. */
  List<HeldVersion> of(AdsStream stream, ResourceType type) {
    List<HeldVersion> held = new ArrayList<>();
    Had had = byNode.get(stream.node().id());
    if (had != null) {
      held.addAll(had.byType.getOrDefault(type, List.of()));
    }
    for (AdsStream other : stream.proxy().streams()) { // it may be back before that is over
      TypeStream typeStream = other.typeStream(type);
      if (other != stream && typeStream != null) {
        held.addAll(typeStream.mayHold());
      }
    }
    return held;
  }

  /** What a proxy had that says that it has this version of a type; null if that is not known. */
  @Nullable HeldVersion of(AdsStream stream, ResourceType type, String version) {
    HeldVersion found = null;
    for (HeldVersion held : of(stream, type)) {
      found = held.version().equals(version) ? held : found;
    }
    return found;
  }

  /** What a proxy ran that says that it has this content of a type; null if that is not known. */
  @Nullable ResourceTable table(AdsStream stream, ResourceType type, String digest) {
    for (ResourceTable table : tables(stream, type)) {
      if (table.version().equals(digest)) {
        return table;
      }
    }
    return null;
  }

  /** What a proxy ran that says that it has this version of a name; null if that is not known. */
  @Nullable Resource resource(AdsStream stream, ResourceType type, String name, String version) {
    for (ResourceTable table : tables(stream, type)) {
      Resource resource = table.get(name);
      if (resource != null && resource.version().equals(version)) {
        return resource;
      }
    }
    return null;
  }

  private List<ResourceTable> tables(AdsStream stream, ResourceType type) {
    List<ResourceTable> tables = new ArrayList<>();
    of(stream, type).forEach(held -> tables.add(held.table()));
    tables.addAll(earlier.getOrDefault(type, List.of()));
    return tables;
  }
}
