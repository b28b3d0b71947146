// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A proxy that is not there is missed only if somebody said that it should be. */
class ExpectedProxiesTest {
  private final ManualTime time = new ManualTime();
  private final ExpectedProxies proxies = new ExpectedProxies(time);
  private final Instant start = time.now();

  @BeforeEach
  void expect() {
    proxies.expect(new TreeMap<>(Map.of("edge", 2, "all", 4)));
  }

  @Test
  void nothingIsExpectedByDefault() {
    ExpectedProxies none = new ExpectedProxies(time);
    none.count(List.of("edge"));

    assertThat(none.any()).isFalse();
    assertThat(none.reports()).isEmpty();
    assertThat(none.problems()).isEmpty();
  }

  @Test
  void eachFleetIsCountedAndAllTogether() {
    proxies.count(List.of("edge", "internal", "", "edge"));

    assertThat(proxies.reports())
        .containsExactly(new FleetReport("all", 4, 4, null), new FleetReport("edge", 2, 2, null));
  }

  @Test
  void moreThanExpectedIsFine() {
    proxies.count(List.of("edge", "edge", "edge", "edge", "edge"));

    assertThat(proxies.reports()).allMatch(fleet -> fleet.missingSince() == null);
  }

  @Test
  void aFleetThatIsTooSmallForLongerThanARestartTakesIsAWarning() {
    proxies.count(List.of("edge", "a", "b", "c"));
    assertThat(proxies.reports())
        .containsExactly(new FleetReport("all", 4, 4, null), new FleetReport("edge", 2, 1, start));
    time.advance(Duration.ofSeconds(59));
    assertThat(proxies.problems()).isEmpty();

    time.advance(Duration.ofSeconds(1));

    assertThat(proxies.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.severity()).isEqualTo(ProblemReport.Severity.WARNING);
              assertThat(problem.reason()).isEqualTo("ProxiesMissing");
              assertThat(problem.message())
                  .isEqualTo("fleet edge: 1 of 2 expected proxies are connected");
              assertThat(problem.since()).isEqualTo(start);
            });
  }

  @Test
  void oneThatIsBackIsNotMissedAnyMore() {
    proxies.count(List.of("edge", "a", "b", "c"));
    time.advance(Duration.ofMinutes(2));
    proxies.count(List.of("edge", "a", "b", "edge"));
    assertThat(proxies.problems()).isEmpty();

    proxies.count(List.of("edge", "a", "b", "c"));

    assertThat(proxies.problems()).as("from now on, not from the first time on").isEmpty();
  }

  @Test
  void clustersThatNobodyNamedAreNotKept() {
    for (int i = 0; i < 1000; i++) {
      proxies.count(List.of("c" + i));
    }

    assertThat(proxies.reports()).hasSize(2);
  }
}
