// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that was in a state at one moment, on its way into one step, and the steps that were
 * written since then.
 */
final class Compaction {
  private final StateChange everything;
  private final long historyBase;
  private final SortedMap<ObjectKey, Generations.Generation> generations;
  private final List<StateRecord> newer = new ArrayList<>();

  Compaction(StateMemory memory, SortedMap<ObjectKey, Generations.Generation> generations) {
    this.everything = memory.everything();
    this.historyBase = memory.droppedHistoryId();
    this.generations = new TreeMap<>(generations);
  }

  /** The records that hold everything; making them of thousands of objects takes a while. */
  List<StateRecord> snapshot() {
    return List.of(
        new StateRecord(StateRecord.Kind.CHANGE, historyBase, StateText.of(everything)),
        new StateRecord(StateRecord.Kind.GENERATIONS, 0, StateText.ofGenerations(generations)));
  }

  /** A step was written that the snapshot does not hold. */
  void add(StateRecord record) {
    newer.add(record);
  }

  /** What was written since, oldest first. */
  List<StateRecord> newer() {
    return newer;
  }
}
