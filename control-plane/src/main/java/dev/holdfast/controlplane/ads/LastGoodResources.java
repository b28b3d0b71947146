// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

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
 * What each class of proxies last accepted, as far as it is still shown to it. Such content may
 * travel in company, and stands in for content that a proxy of the class refuses.
 */
final class LastGoodResources {
  private final ServedViews servedViews;
  private final Map<String, Map<ResourceType, ResourceTable>> byClass = new HashMap<>();

  LastGoodResources(ServedViews servedViews) {
    this.servedViews = servedViews;
  }

  ResourceTable of(String proxyClass, ResourceType type) {
    return byClass.getOrDefault(proxyClass, Map.of()).getOrDefault(type, ResourceTable.empty());
  }

  int classes() {
    return byClass.size();
  }

  void add(String proxyClass, Collection<Resource> accepted) {
    ServedView view = servedViews.of(proxyClass);
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

  /** Some class or all but the separate ones see something else: what is not there is forgotten. */
  void shown(ServedView before, ServedView after, Collection<String> classes) {
    for (Snapshot was : List.of(before.baseline(), before.trial())) {
      Snapshot.diff(
          was,
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

  /** The classes that something is known of. */
  Collection<String> known() {
    return List.copyOf(byClass.keySet());
  }
}
