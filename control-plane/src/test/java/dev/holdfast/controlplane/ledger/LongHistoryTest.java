// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Loop;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.StateStore;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** However long a message is, the history keeps a part of it that can be read again. */
final class LongHistoryTest {
  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final StateStore store = StateStore.inMemory();
  private final AtomicInteger cut = new AtomicInteger();
  private final Loop loop =
      new Loop(
          executor,
          e -> {
            throw new AssertionError(e);
          });
  private final Journal journal =
      new Journal(
          store,
          loop,
          executor,
          time,
          new InternalErrors(time),
          DecisionProbe.NONE,
          /* longestMessage= */ 100,
          cut::incrementAndGet);

  private String stored(String message) {
    HistoryEntry entry =
        HistoryEntry.of(time.now(), HistoryEntry.Kind.SERVER_STARTED).withMessage(message);
    loop.execute(() -> journal.edit(change -> change.append(entry)));
    executor.runAll();
    List<HistoryEntry> newest = store.history(HistoryQuery.newest(1));
    return newest.get(0).message();
  }

  @Test
  void aShortMessageStays() {
    assertThat(stored("x".repeat(100))).isEqualTo("x".repeat(100));
    assertThat(cut).hasValue(0);
  }

  @Test
  void aLongMessageIsCut() {
    assertThat(stored("x".repeat(8 << 20))).isEqualTo("x".repeat(100) + "...");
    assertThat(cut).hasValue(1);
  }

  @Test
  void ofAMessageWithALongSecondLineTheFirstOneStays() {
    assertThat(stored("for people\n" + "{".repeat(1_000))).isEqualTo("for people");
  }
}
