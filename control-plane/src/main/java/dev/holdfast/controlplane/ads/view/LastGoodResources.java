// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The resources that each class of proxies last accepted, as long as the names are in its view.
 * Such content is proven: it may share a response with other resources, and replaces content that a
 * proxy of the class rejects.
 */
final class LastGoodResources {
  /** A proxy names its class itself, and could invent any number. */
  static final int MAX_CLASSES = 128;

  private final Map<String, Map<ResourceType, ResourceTable>> byClass = new HashMap<>();

  ResourceTable of(String proxyClass, ResourceType type) {
    return byClass.getOrDefault(proxyClass, Map.of()).getOrDefault(type, ResourceTable.empty());
  }

  int classCount() {
    return byClass.size();
  }

  /** The classes that accepted something. */
  Collection<String> classes() {
    return List.copyOf(byClass.keySet());
  }

  /**
   * A proxy of a class accepted some resources.
   *
   * @param view of the class; other resources are not kept
   */
  void add(String proxyClass, Collection<Resource> accepted, ServedView view) {
    if (byClass.size() >= MAX_CLASSES && !byClass.containsKey(proxyClass)) {
      return; // its proxies get unproven content one by one
    }
    Map<ResourceType, ResourceTable> tables =
        byClass.computeIfAbsent(proxyClass, unused -> new EnumMap<>(ResourceType.class));
    for (Resource resource : accepted) {
      if (view.has(resource.id())) {
        ResourceType type = resource.id().type();
        tables.put(type, tables.getOrDefault(type, ResourceTable.empty()).with(resource));
      }
    }
  }

  void forget(String proxyClass) {
    byClass.remove(proxyClass);
  }

  /** The view of some classes changed: names that it no longer has are forgotten. */
  void retain(ServedView before, ServedView after, Collection<String> classes) {
    for (Snapshot snapshot : List.of(before.baseline(), before.trial())) {
      Snapshot.diff(
          snapshot,
          after.baseline(),
          (id, from, to) -> {
            if (to == null && !after.has(id)) {
              classes.forEach(proxyClass -> forget(proxyClass, id));
            }
          });
    }
  }

  private void forget(String proxyClass, ResourceId id) {
    Map<ResourceType, ResourceTable> tables = byClass.get(proxyClass);
    if (tables != null) {
      tables.computeIfPresent(id.type(), (type, table) -> table.without(id.name()));
    }
  }
}
