// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import java.util.SortedSet;

/** The resources of one type that a proxy holds, as far as the control plane knows. */
final class HeldResources {
  private ResourceTable running = ResourceTable.empty();

  /**
   * Names that the proxy held when it connected, in versions that the control plane cannot read.
   */
  private SortedSet<String> unknown = NameSets.none();

  /** The resources that the proxy accepted. */
  ResourceTable running() {
    return running;
  }

  /** The proxy runs exactly this table; unknown names stay as they were. */
  void setRunning(ResourceTable table) {
    running = table;
  }

  void add(Resource resource) {
    running = running.with(resource);
    unknown = NameSets.without(unknown, resource.name());
  }

  /** The proxy holds nothing any more. */
  void clear() {
    running = ResourceTable.empty();
    unknown = NameSets.none();
  }

  void remove(String name) {
    running = running.without(name);
    unknown = NameSets.without(unknown, name);
  }

  void addUnknown(String name) {
    unknown = NameSets.with(unknown, name);
  }

  /** The proxy accepted a version or the removal of a name. */
  void removeUnknown(String name) {
    unknown = NameSets.without(unknown, name);
  }

  boolean isUnknown(String name) {
    return unknown.contains(name);
  }

  SortedSet<String> unknown() {
    return unknown;
  }

  boolean contains(String name) {
    return running.contains(name) || unknown.contains(name);
  }

  boolean isEmpty() {
    return running.isEmpty() && unknown.isEmpty();
  }

  /** Whether the proxy may hold a resource under this name that refers to a cluster. */
  boolean mayReferTo(String name, String cluster) {
    Resource resource = running.get(name);
    return resource == null ? isUnknown(name) : resource.clusters().containsKey(cluster);
  }
}
