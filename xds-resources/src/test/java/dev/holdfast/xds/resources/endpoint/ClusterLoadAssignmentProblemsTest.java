// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import org.junit.jupiter.api.Test;

class ClusterLoadAssignmentProblemsTest {

  @Test
  void allProblemsAreListedInStableOrder() {
    assertThat(
            Outcomes.kinds(
                Assignments.decode(
                    """
                    endpoints { priority: 2 load_balancing_weight { value: 1 } lb_endpoints {} }
                    endpoints { priority: 2 load_balancing_weight { value: 4294967295 }
                      lb_endpoints { load_balancing_weight {} } }
                    policy { drop_overloads {} }
                    """)))
        .extracting(Problem::path)
        .containsExactly(
            "cluster_name",
            "endpoints[0].lb_endpoints[0].endpoint",
            "endpoints[1].lb_endpoints[0].load_balancing_weight",
            "endpoints[1].lb_endpoints[0].endpoint",
            "endpoints[1].locality",
            "endpoints",
            "endpoints",
            "policy.drop_overloads[0].category",
            "policy.drop_overloads[0].drop_percentage");
  }

  @Test
  void undecodableBytesAreSaidToBe() {
    assertThat(
            Outcomes.kinds(
                ClusterLoadAssignmentDecoder.decode(
                    ByteString.fromHex("12"), DecodeOptions.defaults())))
        .extracting(Problem::kind)
        .containsExactly(Problem.Kind.UNDECODABLE);
  }

  @Test
  void typeUrlIsThatOfTheMessage() {
    assertThat(ClusterLoadAssignmentDecoder.TYPE_URL)
        .endsWith(
            "/"
                + io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment.getDescriptor()
                    .getFullName());
  }
}
