// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeightedClustersTest {
  private static final String AT = Routes.ROUTE + "route.weighted_clusters.clusters";

  @Test
  void keepsClustersInOrderWithTheirWeights() {
    assertThat(
            Routes.forward(
                    Routes.withAction(
                        """
                        weighted_clusters {
                          clusters { name: 'b' weight { value: 90 } }
                          clusters { name: 'a' weight { value: 10 } }
                          clusters { name: 'zero' }
                          total_weight { value: 7 }
                        }
                        """))
                .clusters())
        .isEqualTo(
            List.of(
                new WeightedCluster("b", 90),
                new WeightedCluster("a", 10),
                new WeightedCluster("zero", 0)));
  }

  @Test
  void weightsAreUnsigned() {
    assertThat(
            Routes.forward(
                    Routes.withAction(
                        "weighted_clusters { clusters { name: 'c' weight { value: 4294967295 } }"
                            + " }"))
                .clusters())
        .isEqualTo(List.of(new WeightedCluster("c", 4_294_967_295L)));
  }

  @Test
  void sumOfWeightsMustNotBeZero() {
    assertThat(
            Outcomes.problems(
                Routes.withAction(
                    "weighted_clusters { clusters { name: 'c' } clusters { name: 'd' weight {} }"
                        + " }")))
        .containsExactly(AT + ": sum of weights: 0 (expected: 1 to 4294967295)");
  }

  @Test
  void sumOfWeightsMustFitInAnUnsignedInteger() {
    assertThat(
            Outcomes.problems(
                Routes.withAction(
                    """
                    weighted_clusters {
                      clusters { name: 'c' weight { value: 4294967295 } }
                      clusters { name: 'd' weight { value: 1 } }
                    }
                    """)))
        .containsExactly(AT + ": sum of weights: 4294967296 (expected: 1 to 4294967295)");
  }

  @Test
  void thereMustBeAClusterAndItMustHaveAName() {
    assertThat(Outcomes.problems(Routes.withAction("weighted_clusters {}")))
        .containsExactly(AT + ": empty (expected: at least one cluster)");
    assertThat(
            Outcomes.problems(
                Routes.withAction("weighted_clusters { clusters { weight { value: 1 } } }")))
        .containsExactly(AT + "[0].name: not set (expected: a cluster)");
  }

  @Test
  void filterOverridesOfAClusterAreChecked() {
    assertThat(
            Outcomes.problems(
                Routes.withAction(
                    "weighted_clusters { clusters { name: 'c' weight { value: 1 }"
                        + " typed_per_filter_config { key: 'f' value {"
                        + Protos.UNKNOWN_EXTENSION
                        + "} } } }")))
        .containsExactly(
            AT
                + "[0].typed_per_filter_config[\"f\"]: \"acme.Unknown\" (expected: a supported"
                + " filter, or is_optional)");
  }
}
