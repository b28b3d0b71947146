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
 * What proxies ran when their streams ended. Who comes back names it by version alone; who is not
 * recognised by it loses clusters that its routes still refer to. Loop only.
 */
final class Departed {
  /** A proxy tries to come back at least every half minute unless it is told otherwise. */
  private static final Duration KEPT = Duration.ofMinutes(2);

  private static final int MOST = 10_000;

  private final TimeSource time;
  private final Map<String, Ran> byNode = new LinkedHashMap<>();

  /** What all of them may have run that came to an earlier life of this server. */
  private final Map<ResourceType, List<ResourceTable>> earlier = new EnumMap<>(ResourceType.class);

  /** What one ran: tables that it accepted, or may have. */
  private record Ran(long until, Map<ResourceType, List<ResourceTable>> tables) {}

  Departed(TimeSource time) {
    this.time = time;
  }

  /** A stream ended. */
  void left(Session session) {
    long now = time.nanoTime();
    Iterator<Ran> oldest = byNode.values().iterator();
    while (oldest.hasNext()) {
      if (oldest.next().until - now > 0 && byNode.size() < MOST) {
        break;
      }
      oldest.remove();
    }
    String node = session.node().id();
    byNode.remove(node);
    Map<ResourceType, List<ResourceTable>> tables = new EnumMap<>(ResourceType.class);
    session.channels().forEach(channel -> tables.put(channel.type(), channel.mayRun()));
    byNode.put(node, new Ran(now + KEPT.toNanos(), tables));
  }

  /**
   * An earlier life of this server may have shown all that is wanted, and have ended before it
   * could note what came of it: what was there besides may not have gone yet.
   */
  void mayHaveBeenShown(Snapshot accepted, Snapshot wanted) {
    earlier.clear();
    for (ResourceType type : ResourceType.ALL) {
      ResourceTable[] both = {accepted.listed(type)};
      wanted.listed(type).forEach(resource -> both[0] = both[0].with(resource));
      earlier.put(type, List.of(wanted.listed(type), both[0]));
    }
  }

  /** Whoever is not back by now comes from elsewhere. */
  void forgetEarlier() {
    earlier.clear();
  }

  /** What a proxy ran that says that it has this version of a type; null if that is not known. */
  @Nullable ResourceTable table(Proxy proxy, ResourceType type, String digest) {
    for (ResourceTable table : tables(proxy, type)) {
      if (table.version().equals(digest)) {
        return table;
      }
    }
    return null;
  }

  /** What a proxy ran that says that it has this version of a name; null if that is not known. */
  @Nullable Resource resource(Proxy proxy, ResourceType type, String name, String version) {
    for (ResourceTable table : tables(proxy, type)) {
      Resource resource = table.get(name);
      if (resource != null && resource.version().equals(version)) {
        return resource;
      }
    }
    return null;
  }

  /** It may be back before its old stream is known to be over. */
  private List<ResourceTable> tables(Proxy proxy, ResourceType type) {
    List<ResourceTable> tables = new ArrayList<>();
    for (Session session : proxy.sessions()) {
      Channel channel = session.channel(type);
      if (channel != null) {
        tables.addAll(channel.mayRun());
      }
    }
    Ran ran = byNode.get(proxy.node().id());
    if (ran != null) {
      tables.addAll(ran.tables.getOrDefault(type, List.of()));
    }
    tables.addAll(earlier.getOrDefault(type, List.of()));
    return tables;
  }
}
