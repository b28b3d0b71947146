// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What the gauges of gRFC A78 show at any moment. The engine's events change it; a collector reads
 * it and never waits for the engine.
 */
final class GaugeValues {
  private final Map<ServerConfig, Boolean> connected = new ConcurrentHashMap<>();
  private final Map<Resources, Long> resources = new ConcurrentHashMap<>();

  /** Watched resources that are counted together. */
  record Resources(String authority, String cacheState, String typeName) {}

  void connected(ServerConfig server, @Nullable Boolean works) {
    if (works == null) {
      connected.remove(server);
    } else {
      connected.put(server, works);
    }
  }

  void cacheStateChanged(
      String authority, ResourceType<?> type, @Nullable String before, @Nullable String after) {
    if (before != null) {
      count(new Resources(authority, before, type.typeName()), -1);
    }
    if (after != null) {
      count(new Resources(authority, after, type.typeName()), +1);
    }
  }

  private void count(Resources counted, long change) {
    resources.compute(
        counted,
        (key, count) -> {
          long now = (count == null ? 0 : count) + change;
          return now == 0 ? null : now;
        });
  }

  /** By address. Servers that differ in more share a label: all of them have to work. */
  void readConnected(BiConsumer<String, Boolean> reader) {
    Map<String, Boolean> byUri = new TreeMap<>();
    connected.forEach((server, works) -> byUri.merge(server.uri(), works, Boolean::logicalAnd));
    byUri.forEach(reader);
  }

  void readResources(ObjLongConsumer<Resources> reader) {
    resources.forEach(reader::accept);
  }
}
