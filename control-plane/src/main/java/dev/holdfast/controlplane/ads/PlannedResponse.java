// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the next response of a type stream is about. */
final class PlannedResponse {
  final SortedMap<String, Resource> sends = new TreeMap<>();
  final SortedSet<String> removes = new TreeSet<>();
  final SortedMap<String, String> missing = new TreeMap<>();

  /** Whether it is about nothing but one resource that is to be sent. */
  boolean isOneResource() {
    return sends.size() == 1 && removes.isEmpty() && missing.isEmpty();
  }

  boolean isEmpty() {
    return sends.isEmpty() && removes.isEmpty() && missing.isEmpty();
  }
}
