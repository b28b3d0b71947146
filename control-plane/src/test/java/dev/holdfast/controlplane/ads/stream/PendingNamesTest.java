// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.stream.PendingNames.Event;
import dev.holdfast.controlplane.ads.stream.PendingNames.Mark;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every event changes the marks of a name as the table in the class doc says. */
class PendingNamesTest {
  private static final int STATES = 1 << Mark.values().length;
  private static final List<Event> EVENTS = List.of(Event.values());

  @Test
  void everyEventInEveryStateOfANameDoesWhatTheTableSays() throws Exception {
    DocTable table = DocTable.of(PendingNames.class);
    assertThat(table.columns())
        .containsExactlyElementsOf(Arrays.stream(Mark.values()).map(Enum::name).toList());
    assertThat(table.rows().keySet())
        .containsExactlyElementsOf(Arrays.stream(Event.values()).map(Enum::name).toList());

    for (Event event : Event.values()) {
      List<String> cells = Objects.requireNonNull(table.rows().get(event.name()));
      for (int before = 0; before < STATES; before++) {
        int expected = before;
        for (Mark mark : Mark.values()) {
          String cell = cells.get(table.columns().indexOf(mark.name()));
          assertThat(cell).isIn("", "set", "clear");
          expected = cell.equals("set") ? expected | mark.bit : expected;
          expected = cell.equals("clear") ? expected & ~mark.bit : expected;
        }
        assertThat(event.applyTo(before)).as("%s in %s", event, before).isEqualTo(expected);
      }
    }
  }

  @Test
  void aRequestedNameIsPendingAndNotReportedMissing() {
    TreeSet<Integer> reached = new TreeSet<>();
    Deque<Integer> next = new ArrayDeque<>(List.of(0));
    while (!next.isEmpty()) {
      int bits = next.remove();
      if (reached.add(bits)) {
        for (Event event : Event.values()) {
          next.add(event.applyTo(bits));
        }
      }
    }
    assertThat(reached)
        .allMatch(
            bits ->
                !has(bits, Mark.REQUESTED)
                    || (has(bits, Mark.PENDING) && !has(bits, Mark.REPORTED_MISSING)));
  }

  @Test
  void namesAreKeptApartAndInOrder() {
    SplittableRandom random = new SplittableRandom(11);
    List<String> all = List.of("a", "b", "c", "d", "e");
    PendingNames names = new PendingNames();
    Map<String, Integer> expected = new TreeMap<>();
    for (int i = 0; i < 10_000; i++) {
      String name = all.get(random.nextInt(all.size()));
      Event event = EVENTS.get(random.nextInt(EVENTS.size()));
      int before = expected.getOrDefault(name, 0);
      expected.put(name, event.applyTo(before));

      assertThat(names.apply(event, name)).isEqualTo(has(before, Mark.REQUESTED));

      List<String> pending =
          all.stream().filter(one -> has(expected.getOrDefault(one, 0), Mark.PENDING)).toList();
      assertThat(names.names()).isEqualTo(pending);
      assertThat(names.isEmpty()).isEqualTo(pending.isEmpty());
      for (String one : all) {
        int bits = expected.getOrDefault(one, 0);
        for (Mark mark : Mark.values()) {
          assertThat(names.has(mark, one)).isEqualTo(has(bits, mark));
        }
        assertThat(names.anyPending(one::equals)).isEqualTo(pending.contains(one));
        assertThat(names.mustSend(one))
            .isEqualTo(
                has(bits, Mark.REQUESTED)
                    || has(bits, Mark.HALF_APPLIED)
                    || has(bits, Mark.UNCERTAIN));
      }
    }
  }

  private static boolean has(int bits, Mark mark) {
    return (bits & mark.bit) != 0;
  }

  @Test
  void allNamesOfTheTypeMayBePending() {
    PendingNames names = new PendingNames();
    names.addAll();
    assertThat(names.isEmpty()).isFalse();
    assertThat(names.clearAll()).isTrue();
    assertThat(names.clearAll()).isFalse();
    assertThat(names.isEmpty()).isTrue();
  }
}
