// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.SortedMap;
import java.util.TreeMap;

/** Who is shown what: classes of proxies that go their own way, and all others. Loop only. */
final class Audiences {
  private final SortedMap<String, View> separate = new TreeMap<>();
  private View all = View.EMPTY;

  /** What all see that do not go their own way. */
  View all() {
    return all;
  }

  /** What the proxies of a class see. */
  View of(String proxyClass) {
    return separate.getOrDefault(proxyClass, all);
  }

  boolean isSeparate(String proxyClass) {
    return separate.containsKey(proxyClass);
  }

  void show(View view) {
    all = view;
  }

  void show(String proxyClass, View view) {
    separate.put(proxyClass, view);
  }

  /** A class sees what all do; false if it did so before. */
  boolean join(String proxyClass) {
    return separate.remove(proxyClass) != null;
  }
}
