// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** gRFC A27, localities and priorities. */
class LocalitiesTest {

  @Test
  void localitiesAreKeptInOrderWithWeightAndPriority() {
    assertThat(
            Outcomes.value(
                    Assignments.decode(
                        """
                        cluster_name: 'e'
                        endpoints { locality { region: 'r' zone: 'z' sub_zone: 's' } priority: 1
                          load_balancing_weight { value: 4294967295 } }
                        endpoints { load_balancing_weight { value: 2 } }
                        """))
                .localities())
        .isEqualTo(
            List.of(
                new LocalityEndpoints(new Locality("r", "z", "s"), 1, 4_294_967_295L, List.of()),
                new LocalityEndpoints(new Locality("", "", ""), 0, 2, List.of())));
  }

  @Test
  void noLocalitiesAreFine() {
    assertThat(Outcomes.value(Assignments.decode("cluster_name: 'e'")))
        .isEqualTo(new ClusterLoadAssignment("e", List.of(), List.of()));
  }

  @Test
  void localityWithoutAWeightIsSkippedWhateverElseItSays() {
    assertThat(
            Outcomes.value(
                    Assignments.decode(
                        "cluster_name: 'e' endpoints { priority: 7 lb_endpoints {} } endpoints {"
                            + " load_balancing_weight {} lb_endpoints {} }"))
                .localities())
        .isEmpty();
  }

  @Test
  void prioritiesHaveNoGaps() {
    assertThat(
            Outcomes.problems(
                Assignments.decode(
                    "cluster_name: 'e' "
                        + Assignments.locality("a", 0, 1)
                        + Assignments.locality("b", 3, 1))))
        .containsExactly("endpoints: priority 1: no locality (expected: no gap below priority 3)");
  }

  @Test
  void prioritiesStartAtZero() {
    assertThat(
            Outcomes.problems(
                Assignments.decode(
                    "cluster_name: 'e' endpoints { priority: 4294967295 load_balancing_weight {"
                        + " value: 1 } }")))
        .containsExactly(
            "endpoints: priority 0: no locality (expected: no gap below priority 4294967295)");
  }

  @Test
  void skippedLocalityDoesNotFillAGap() {
    assertThat(
            Outcomes.problems(
                Assignments.decode(
                    "cluster_name: 'e' endpoints {} " + Assignments.locality("b", 1, 1))))
        .containsExactly("endpoints: priority 0: no locality (expected: no gap below priority 1)");
  }

  @Test
  void localityIsUniqueWithinItsPriority() {
    assertThat(
            Outcomes.problems(
                Assignments.decode(
                    "cluster_name: 'e' "
                        + Assignments.locality("a", 0, 1)
                        + Assignments.locality("a", 1, 1)
                        + Assignments.locality("b", 0, 1)
                        + Assignments.locality("a", 0, 1))))
        .containsExactly(
            "endpoints[3].locality: a duplicate (expected: each locality once in priority 0)");
  }

  @Test
  void weightsOfAPriorityFitInAnUnsignedInteger() {
    assertThat(
            Outcomes.problems(
                Assignments.decode(
                    "cluster_name: 'e' "
                        + Assignments.locality("a", 0, 4_294_967_295L)
                        + Assignments.locality("a", 1, 4_294_967_295L)
                        + Assignments.locality("b", 1, 1))))
        .containsExactly(
            "endpoints: sum of weights in priority 1: 4294967296 (expected: at most 4294967295)");
  }

  @Test
  void equalLocalitiesShareTheirStrings() {
    Locality a = locality();
    Locality b = locality();

    assertThat(a).isNotSameAs(b);
    assertThat(a.region()).isSameAs(b.region());
  }

  private static Locality locality() {
    return Outcomes.value(
            Assignments.decode("cluster_name: 'e' " + Assignments.locality("r", 0, 1)))
        .localities()
        .get(0)
        .locality();
  }
}
