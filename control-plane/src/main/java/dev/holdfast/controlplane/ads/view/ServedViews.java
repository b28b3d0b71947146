// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The view of each class of proxies: a common view for most classes, and separate views for classes
 * that have a rollout of their own. A single proxy may have versions of its own of some resources.
 * Keeps the last good resources of each class in step with its view. Loop only.
 */
public final class ServedViews {
  /** Beyond this number a class is forgotten when its last proxy disconnects. */
  private static final int MAX_CLASSES = 64;

  private final SortedMap<String, ServedView> separate = new TreeMap<>();
  private final LastGoodResources lastGood = new LastGoodResources();
  private final Map<Long, OwnVersions> ofProxies = new HashMap<>();
  private ServedView common = ServedView.EMPTY;

  /** Replaces the common view. */
  public void show(ServedView view) {
    List<String> classes =
        lastGood.classes().stream().filter(name -> !separate.containsKey(name)).toList();
    lastGood.retain(common, view, classes);
    common = view;
  }

  /** Gives a class a view of its own, or replaces it. */
  public void showClass(String proxyClass, ServedView view) {
    lastGood.retain(of(proxyClass), view, List.of(proxyClass));
    separate.put(proxyClass, view);
  }

  /** Returns a class to the common view; false if it had no view of its own. */
  public boolean joinClass(String proxyClass) {
    ServedView own = separate.remove(proxyClass);
    if (own == null) {
      return false;
    }
    lastGood.retain(own, common, List.of(proxyClass));
    return true;
  }

  /**
   * Gives one proxy a snapshot in place of that of its class. Endpoints are those of the class.
   *
   * @param only the resources that are replaced, if the snapshot has them; null for all
   * @param trial whether the proxy tries them
   */
  public void showProxy(
      long connection, Snapshot own, @Nullable Set<ResourceId> only, boolean trial) {
    ofProxies.computeIfAbsent(connection, unused -> new OwnVersions()).replace(own, only, trial);
  }

  /** Whether a proxy tries what it is served. */
  public boolean isOnTrial(String proxyClass, String node, long connection) {
    OwnVersions own = ofProxies.get(connection);
    return own == null ? of(proxyClass).isCanary(node, connection) : own.isOnTrial();
  }

  /** Returns a proxy to the snapshot of its class; false if it had none of its own. */
  public boolean joinProxy(long connection) {
    return ofProxies.remove(connection) != null;
  }

  /** The snapshot that a proxy is served. */
  public Snapshot of(String proxyClass, String node, long connection) {
    Snapshot ofClass = of(proxyClass).of(node, connection);
    OwnVersions own = ofProxies.get(connection);
    return own == null ? ofClass : own.in(ofClass);
  }

  public ServedView common() {
    return common;
  }

  /** The baseline of the common view. */
  public Snapshot commonBaseline() {
    return common.baseline();
  }

  /** The view of a class. */
  public ServedView of(String proxyClass) {
    return separate.getOrDefault(proxyClass, common);
  }

  /** A proxy of a class accepted some resources. Its own versions say nothing about the class. */
  public void accepted(String proxyClass, long connection, Collection<Resource> resources) {
    OwnVersions own = ofProxies.get(connection);
    lastGood.add(
        proxyClass,
        own == null ? resources : resources.stream().filter(each -> !own.has(each)).toList(),
        of(proxyClass));
  }

  /** The last version of a resource that a proxy of the class accepted; null if there is none. */
  public @Nullable Resource lastGood(String proxyClass, ResourceType type, String name) {
    return lastGood.of(proxyClass, type).get(name);
  }

  /**
   * Whether a class should be forgotten when its last proxy disconnects. A proxy names its class
   * itself and could invent any number of classes.
   */
  public boolean hasTooManyClasses() {
    return lastGood.classCount() > MAX_CLASSES;
  }

  public void forgetClass(String proxyClass) {
    lastGood.forget(proxyClass);
  }
}
