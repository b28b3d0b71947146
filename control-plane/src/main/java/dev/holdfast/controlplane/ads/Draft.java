// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the next response of a channel is about. */
final class Draft {
  final SortedMap<String, Resource> sends = new TreeMap<>();
  final SortedSet<String> removes = new TreeSet<>();
  final SortedMap<String, String> missing = new TreeMap<>();

  boolean isEmpty() {
    return sends.isEmpty() && removes.isEmpty() && missing.isEmpty();
  }
}
