// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.brake;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What becomes of some changes.
 *
 * @param put the objects that are there now, new or changed
 * @param removed the objects whose deletion applies now
 * @param held the deletions that wait from now on
 * @param undone the objects whose deletion waited and that their source has again
 * @param confirmed the deletions that waited and that apply now; they are among those removed
 * @param lost the hosts that would disappear; empty unless a deletion waits from now on
 * @param served the number of hosts that are served; 0 unless a deletion waits from now on
 */
public record BrakeDecision(
    SortedMap<ObjectKey, ConfigObject> put,
    SortedSet<ObjectKey> removed,
    List<WaitingDeletion> held,
    List<WaitingDeletion> undone,
    List<WaitingDeletion> confirmed,
    SortedSet<String> lost,
    int served) {
  public BrakeDecision {
    put = Collections.unmodifiableSortedMap(new TreeMap<>(put));
    removed = Collections.unmodifiableSortedSet(new TreeSet<>(removed));
    held = List.copyOf(held);
    undone = List.copyOf(undone);
    confirmed = List.copyOf(confirmed);
    lost = Collections.unmodifiableSortedSet(new TreeSet<>(lost));
  }

  /** The same with other objects to put. */
  BrakeDecision withPut(SortedMap<ObjectKey, ConfigObject> objects) {
    return new BrakeDecision(objects, removed, held, undone, confirmed, lost, served);
  }
}
