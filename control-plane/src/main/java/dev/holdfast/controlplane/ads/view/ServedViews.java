// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The view of each class of proxies: a common view for most classes, and separate views for classes
 * that have a rollout of their own. Keeps the last good resources of each class in step with its
 * view. Loop only.
 */
public final class ServedViews {
  /** Beyond this number a class is forgotten when its last proxy disconnects. */
  private static final int MAX_CLASSES = 64;

  private final SortedMap<String, ServedView> separate = new TreeMap<>();
  private final LastGoodResources lastGood = new LastGoodResources();
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

  /** The baseline of the common view. */
  public Snapshot commonBaseline() {
    return common.baseline();
  }

  /** The view of a class. */
  public ServedView of(String proxyClass) {
    return separate.getOrDefault(proxyClass, common);
  }

  /** A proxy of a class accepted some resources. */
  public void accepted(String proxyClass, Collection<Resource> resources) {
    lastGood.add(proxyClass, resources, of(proxyClass));
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
