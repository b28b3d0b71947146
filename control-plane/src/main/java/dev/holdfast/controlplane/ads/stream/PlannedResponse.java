// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.snapshot.Resource;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The content of a response: resources to send, names to remove, and reasons for missing names. */
final class PlannedResponse {
  final SortedMap<String, Resource> sends = new TreeMap<>();
  final SortedSet<String> removes = new TreeSet<>();
  final SortedMap<String, String> missing = new TreeMap<>();

  /** Whether it contains one resource and nothing else. */
  boolean isOneResource() {
    return sends.size() == 1 && removes.isEmpty() && missing.isEmpty();
  }

  /** Leaves out all resources but the first. */
  void keepOne() {
    while (sends.size() > 1) {
      sends.remove(sends.lastKey());
    }
  }

  boolean isRemovalsOnly() {
    return sends.isEmpty() && missing.isEmpty() && !removes.isEmpty();
  }

  boolean isEmpty() {
    return sends.isEmpty() && removes.isEmpty() && missing.isEmpty();
  }
}
