// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import java.util.List;
import org.junit.jupiter.api.Test;

class DropOverloadsTest {

  @Test
  void dropsAreKeptInOrderInPartsPerMillion() {
    assertThat(
            Outcomes.value(
                    Assignments.decode(
                        """
                        cluster_name: 'e'
                        policy {
                          overprovisioning_factor { value: 3 }
                          drop_overloads { category: 'lb' drop_percentage { numerator: 4 } }
                          drop_overloads { category: 'all' drop_percentage {
                            numerator: 4294967295 denominator: TEN_THOUSAND } }
                          drop_overloads { category: 'few' drop_percentage {
                            numerator: 7 denominator: MILLION } }
                        }
                        """))
                .dropOverloads())
        .isEqualTo(
            List.of(
                new DropOverload("lb", 40_000),
                new DropOverload("all", 1_000_000),
                new DropOverload("few", 7)));
  }

  @Test
  void everyBrokenDropIsReported() {
    assertThat(
            Outcomes.problems(
                Assignments.decode(
                    """
                    cluster_name: 'e'
                    policy {
                      drop_overloads { drop_percentage { numerator: 1 } }
                      drop_overloads { category: 'c' }
                      drop_overloads { category: 'd' drop_percentage { denominator: 9 } }
                    }
                    """)))
        .containsExactly(
            "policy.drop_overloads[0].category: not set (expected: under which heading calls are"
                + " dropped)",
            "policy.drop_overloads[1].drop_percentage: not set (expected: how many calls are"
                + " dropped)",
            "policy.drop_overloads[2].drop_percentage.denominator: 9 (expected: HUNDRED,"
                + " TEN_THOUSAND or MILLION)");
  }
}
