// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SuspectGroupsTest {
  /** Sends all in groups until each was accepted, or rejected alone; the number of responses. */
  private static int responses(int count, Set<Integer> bad) {
    SuspectGroups groups = new SuspectGroups();
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      open.add(i);
    }
    Set<Integer> found = new TreeSet<>();
    int responses = 0;
    while (!open.isEmpty()) {
      List<Integer> sent = List.copyOf(open.subList(0, Math.min(groups.most(), open.size())));
      responses++;
      if (sent.stream().noneMatch(bad::contains)) {
        open.removeAll(sent);
        groups.accepted(!open.isEmpty());
      } else {
        if (sent.size() == 1) {
          open.removeAll(sent);
          found.addAll(sent);
        }
        groups.rejected(sent.size() == 1 ? 0 : sent.size());
      }
    }
    assertThat(found).isEqualTo(bad);
    return responses;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 8, 9, 100, 1000})
  void oneOfManyTakesAboutTheLogarithm(int count) {
    int most = 3 + (32 - Integer.numberOfLeadingZeros(count - 1));
    for (int bad = 0; bad < count; bad++) {
      assertThat(responses(count, Set.of(bad)))
          .as("%s of %s", bad, count)
          .isLessThanOrEqualTo(most);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 20})
  void someOfManyTakeThatManyTimesAsLong(int some) {
    Set<Integer> bad = new TreeSet<>();
    for (int i = 0; i < some; i++) {
      bad.add((i * 617 + 13) % 1000);
    }
    assertThat(responses(1000, bad)).isLessThanOrEqualTo(some * 13);
  }
}
