// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.report.ProblemReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Proxies that come and go, beside the number that an operator expects. */
class MissingProxiesTest {
  private final World world = new World().up();

  @Test
  void aProxyThatGoesIsMissedAndAScoutDoesNotStandInForIt() {
    world.write(Objects.host("a", 201));
    world.join("e1", /* delta= */ true);
    world.join("e2", /* delta= */ true);
    world.expect(new TreeMap<>(Map.of("all", 2))).settle();
    assertThat(missing()).isEmpty();

    world.part("e2");
    world.scout("s1", /* delta= */ true, any -> null);
    world.settle().advance(Duration.ofSeconds(61));

    assertThat(missing()).containsExactly("1 of 2 expected proxies are connected");

    world.join("e3", /* delta= */ true);
    world.settle();

    assertThat(missing()).isEmpty();
  }

  private List<String> missing() {
    return world.problems().stream()
        .filter(problem -> problem.reason().equals(ProblemReport.PROXIES_MISSING))
        .map(ProblemReport::message)
        .toList();
  }
}
