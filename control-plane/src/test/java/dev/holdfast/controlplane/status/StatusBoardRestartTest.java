// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Loop;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.Position;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StoredStatus;
import dev.holdfast.controlplane.ledger.EventLog;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The status board across restarts of a server that ended after it had stored a status, and before
 * it reported it.
 */
class StatusBoardRestartTest {
  private static final ObjectKey HERE = new ObjectKey("HTTPProxy", "default", "here");
  private static final ObjectKey GONE = new ObjectKey("HTTPProxy", "default", "gone");

  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final StateStore store = StateStore.inMemory();
  private final Map<ObjectKey, ObjectStatus> reported = new TreeMap<>();

  private static ConfigObject object(ObjectKey key) {
    return object(key, 1);
  }

  private static ConfigObject object(ObjectKey key, long generation) {
    return new ConfigObject(
        key,
        "projectcontour.io/v1",
        "",
        generation,
        Instant.EPOCH,
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        new Mapping(Map.of(), Position.of("test")));
  }

  @Test
  void restoredStatusIsReportedForObjectsThatStillExist() {
    ObjectStatus status =
        ObjectStatus.empty()
            .with(
                new Condition(
                    Conditions.PROGRAMMED,
                    Condition.Status.TRUE,
                    "Programmed",
                    "all proxies that use it run generation 1",
                    1,
                    time.now()));
    store.commit(
        StateChange.builder()
            .putStatus(HERE, new StoredStatus(status, 1))
            .putStatus(GONE, new StoredStatus(status, 1))
            .build());

    runServer(
        board -> {
          board.put(object(HERE));
          board.sourceComplete();
        });

    assertThat(reported).containsOnly(Map.entry(HERE, status));
  }

  @Test
  void generationIsRecordedOnceEvenIfTheServerEndsAtOnce() {
    runServer(board -> board.put(object(HERE, 1)));
    runServer(board -> board.put(object(HERE, 1)));
    runServer(board -> board.put(object(HERE, 2)));
    runServer(
        board -> {
          board.put(object(HERE, 2));
          board.put(object(HERE, 3));
        });
    runServer(
        board -> {
          board.put(object(HERE, 3));
          board.sourceComplete();
        });

    assertThat(history())
        .containsExactly(
            "OBJECT_ADDED here 1",
            "OBJECT_CHANGED here 2 while no server was running",
            "OBJECT_CHANGED here 3");
    assertThat(reported).isEmpty();
  }

  @Test
  void removalWhileNoServerWasRunningIsRecorded() {
    runServer(board -> board.put(object(GONE, 4)));
    runServer(StatusBoard::sourceComplete);
    runServer(StatusBoard::sourceComplete);

    assertThat(history())
        .containsExactly(
            "OBJECT_ADDED gone 4", "OBJECT_REMOVED gone 4 while no server was running");
  }

  /**
   * Starts a server, passes it a report of the source, and kills it before it has evaluated any
   * status.
   */
  private void runServer(Consumer<StatusBoard> sourceReport) {
    Loop loop =
        new Loop(
            executor,
            e -> {
              throw new AssertionError(e);
            });
    StatusBoard board =
        new StatusBoard(
            time, new Journal(store, loop, executor, time), new EventLog(), reported::putAll);
    loop.execute(
        () -> {
          board.restore(store.load());
          sourceReport.accept(board);
        });
    executor.runAll();
  }

  private List<String> history() {
    List<String> lines = new ArrayList<>();
    for (HistoryEntry entry : store.history(HistoryQuery.newest(100))) {
      ObjectKey key = Objects.requireNonNull(entry.object());
      String line =
          "%s %s %d %s".formatted(entry.kind(), key.name(), entry.generation(), entry.message());
      lines.add(0, line.strip());
    }
    return lines;
  }
}
