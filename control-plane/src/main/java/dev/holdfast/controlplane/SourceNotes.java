// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.SourceNote;
import dev.holdfast.config.StoredState;
import dev.holdfast.controlplane.status.StatusBoard;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Shows on each object what its source has to say of it, as a condition that is there as long as
 * the source says so. Loop only.
 */
final class SourceNotes {
  private static final SourceNote UNSEEN =
      new SourceNote(
          SourceNote.UNREADABLE,
          "the object is served as it was before the start of the server: it may stand where the"
              + " source cannot be read");

  /** The type of the condition. */
  static final String SOURCE = "Source";

  private final StatusBoard board;
  private final TimeSource time;

  /** What is shown; null for what an earlier process showed. */
  private SortedMap<ObjectKey, @Nullable SourceNote> shown = new TreeMap<>();

  SourceNotes(StatusBoard board, TimeSource time) {
    this.board = board;
    this.time = time;
  }

  void restore(StoredState state) {
    state
        .statuses()
        .forEach(
            (key, stored) -> {
              if (stored.status().condition(SOURCE) != null) {
                shown.put(key, null);
              }
            });
  }

  /**
   * Shows these and no others.
   *
   * @param unseen the objects that the source may still have, where it cannot be read
   */
  void show(SortedMap<ObjectKey, SourceNote> notes, Set<ObjectKey> unseen) {
    SortedMap<ObjectKey, @Nullable SourceNote> next = new TreeMap<>(notes);
    unseen.forEach(key -> next.put(key, UNSEEN));
    for (ObjectKey key : shown.keySet()) {
      if (!next.containsKey(key)) {
        board.note(key, SOURCE, null);
      }
    }
    for (Map.Entry<ObjectKey, @Nullable SourceNote> entry : next.entrySet()) {
      SourceNote note = entry.getValue();
      if (note != null && !note.equals(shown.get(entry.getKey()))) {
        board.note(entry.getKey(), SOURCE, condition(note));
      }
    }
    shown = next;
  }

  private Condition condition(SourceNote note) {
    return new Condition(
        SOURCE,
        Condition.Status.FALSE,
        note.reason(),
        note.message(),
        /* observedGeneration= */ 0,
        time.now());
  }
}
