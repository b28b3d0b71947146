// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.SortedMap;
import java.util.TreeMap;

/** Who is shown what: classes of proxies that go their own way, and all others. Loop only. */
final class ServedViews {
  private final SortedMap<String, ServedView> separate = new TreeMap<>();
  private ServedView all = ServedView.EMPTY;

  /** What all see that do not go their own way. */
  ServedView all() {
    return all;
  }

  /** What the proxies of a class see. */
  ServedView of(String proxyClass) {
    return separate.getOrDefault(proxyClass, all);
  }

  boolean isSeparate(String proxyClass) {
    return separate.containsKey(proxyClass);
  }

  void show(ServedView view) {
    all = view;
  }

  void show(String proxyClass, ServedView view) {
    separate.put(proxyClass, view);
  }

  /** A class sees what all do; false if it did so before. */
  boolean join(String proxyClass) {
    return separate.remove(proxyClass) != null;
  }
}
