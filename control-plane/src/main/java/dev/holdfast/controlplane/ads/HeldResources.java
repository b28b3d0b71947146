// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** What a proxy has of one type, as far as is known. */
final class HeldResources {
  private ResourceTable running = ResourceTable.empty();

  /** Names that the proxy came with, in versions that nobody here knows. */
  private SortedSet<String> foreign = NameSets.none();

  /** What the proxy accepted. */
  ResourceTable running() {
    return running;
  }

  /** The proxy has exactly this; names that it came with are as they were. */
  void run(ResourceTable table) {
    running = table;
  }

  void add(Resource resource) {
    running = running.with(resource);
    foreign = NameSets.without(foreign, resource.name());
  }

  void remove(String name) {
    running = running.without(name);
    foreign = NameSets.without(foreign, name);
  }

  void known(String name) {
    foreign = NameSets.without(foreign, name);
  }

  void addForeign(String name) {
    foreign = NameSets.with(foreign, name);
  }

  boolean isForeign(String name) {
    return foreign.contains(name);
  }

  SortedSet<String> foreign() {
    return foreign;
  }

  boolean contains(String name) {
    return running.contains(name) || foreign.contains(name);
  }

  boolean isEmpty() {
    return running.isEmpty() && foreign.isEmpty();
  }

  /** Whether the proxy may run something under a name that refers to a cluster. */
  boolean refers(String name, String cluster) {
    @Nullable Resource resource = running.get(name);
    return resource == null ? isForeign(name) : resource.clusters().containsKey(cluster);
  }
}
