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
final class Departed {
  /** A proxy tries to come back at least every half minute unless it is told otherwise. */
  private static final Duration KEPT = Duration.ofMinutes(2);

  private static final int MOST = 10_000;

  private final TimeSource time;
  private final Certain certain = new Certain();
  private final Map<String, Had> byNode = new LinkedHashMap<>();

  /** What all of them may have run that came to an earlier life of this server. */
  private final Map<ResourceType, List<ResourceTable>> earlier = new EnumMap<>(ResourceType.class);

  private record Had(long until, Map<ResourceType, List<Held>> byType) {}

  Departed(TimeSource time) {
    this.time = time;
  }

  /** A stream ended. */
  void left(Session session) {
    certain.left(session);
    long now = time.nanoTime();
    Iterator<Had> oldest = byNode.values().iterator();
    while (oldest.hasNext()) {
      if (oldest.next().until - now > 0 && byNode.size() < MOST) {
        break;
      }
      oldest.remove();
    }
    String node = session.node().id();
    Map<ResourceType, List<Held>> byType = new EnumMap<>(ResourceType.class);
    Had other = byNode.remove(node); // a stream for other types
    if (other != null) {
      byType.putAll(other.byType);
    }
    session.channels().forEach(channel -> byType.put(channel.type(), channel.mayHold()));
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
  Certain certain() {
    return certain;
  }

  /** What the proxy of a stream had of a type on others of its own: the newest last. */
  List<Held> of(Session session, ResourceType type) {
    List<Held> held = new ArrayList<>();
    Had had = byNode.get(session.node().id());
    if (had != null) {
      held.addAll(had.byType.getOrDefault(type, List.of()));
    }
    for (Session other : session.proxy().sessions()) { // it may be back before that is over
      Channel channel = other.channel(type);
      if (other != session && channel != null) {
        held.addAll(channel.mayHold());
      }
    }
    return held;
  }

  /** What a proxy had that says that it has this version of a type; null if that is not known. */
  @Nullable Held of(Session session, ResourceType type, String version) {
    Held found = null;
    for (Held held : of(session, type)) {
      found = held.version().equals(version) ? held : found;
    }
    return found;
  }

  /** What a proxy ran that says that it has this content of a type; null if that is not known. */
  @Nullable ResourceTable table(Session session, ResourceType type, String digest) {
    for (ResourceTable table : tables(session, type)) {
      if (table.version().equals(digest)) {
        return table;
      }
    }
    return null;
  }

  /** What a proxy ran that says that it has this version of a name; null if that is not known. */
  @Nullable Resource resource(Session session, ResourceType type, String name, String version) {
    for (ResourceTable table : tables(session, type)) {
      Resource resource = table.get(name);
      if (resource != null && resource.version().equals(version)) {
        return resource;
      }
    }
    return null;
  }

  private List<ResourceTable> tables(Session session, ResourceType type) {
    List<ResourceTable> tables = new ArrayList<>();
    of(session, type).forEach(held -> tables.add(held.table()));
    tables.addAll(earlier.getOrDefault(type, List.of()));
    return tables;
  }
}
