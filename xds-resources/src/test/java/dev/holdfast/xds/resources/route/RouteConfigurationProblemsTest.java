// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import org.junit.jupiter.api.Test;

class RouteConfigurationProblemsTest {

  @Test
  void allProblemsAreListedInTheOrderOfTheMessage() {
    Decoded<RouteConfiguration> decoded =
        Routes.decode(
            """
            name: 'r'
            virtual_hosts {
              domains: ['x*y']
              retry_policy { num_retries {} }
              routes { match { safe_regex { regex: ')' } } route { cluster: '' } }
              routes { match { prefix: '' } route { cluster: 'ok' } }
              routes {
                match { prefix: '' headers { name: 'h' } runtime_fraction {} }
                route {
                  weighted_clusters {}
                  max_stream_duration { max_stream_duration { nanos: -1 } }
                  retry_policy { retry_back_off {} }
                  hash_policy { header { regex_rewrite {} } }
                }
              }
            }
            virtual_hosts { domains: 'z' routes { redirect {} } }
            """);

    assertThat(decoded.name()).isEqualTo("r");
    assertThat(Outcomes.kinds(decoded))
        .extracting(Problem::path, Problem::kind)
        .extracting(Object::toString)
        .containsExactly(
            "(\"virtual_hosts[0].domains[0]\", INVALID)",
            "(\"virtual_hosts[0].retry_policy.num_retries\", INVALID)",
            "(\"virtual_hosts[0].routes[0].match.safe_regex.regex\", INVALID)",
            "(\"virtual_hosts[0].routes[0].route.cluster\", REQUIRED)",
            "(\"virtual_hosts[0].routes[2].match.headers[0]\", REQUIRED)",
            "(\"virtual_hosts[0].routes[2].match.runtime_fraction.default_value\", REQUIRED)",
            "(\"virtual_hosts[0].routes[2].route.weighted_clusters.clusters\", REQUIRED)",
            "(\"virtual_hosts[0].routes[2].route.max_stream_duration.max_stream_duration\","
                + " INVALID)",
            "(\"virtual_hosts[0].routes[2].route.retry_policy.retry_back_off.base_interval\","
                + " REQUIRED)",
            "(\"virtual_hosts[0].routes[2].route.hash_policy[0].header.regex_rewrite.pattern\","
                + " REQUIRED)",
            "(\"virtual_hosts[1].routes[0].match\", REQUIRED)",
            "(\"virtual_hosts[1].routes[0]\", UNSUPPORTED)");
  }

  @Test
  void missingNameIsAProblemAmongOthers() {
    Decoded<RouteConfiguration> decoded = Routes.decode("virtual_hosts {}");

    assertThat(decoded.name()).isNull();
    assertThat(Outcomes.problems(decoded))
        .containsExactly(
            "name: not set (expected: the name of the resource)",
            "virtual_hosts[0].domains: empty (expected: at least one domain)");
  }

  @Test
  void undecodableBytesHaveNoName() {
    Decoded<RouteConfiguration> decoded =
        RouteConfigurationDecoder.decode(ByteString.fromHex("0aff"), DecodeOptions.defaults());

    assertThat(decoded.name()).isNull();
    assertThat(Outcomes.kinds(decoded))
        .singleElement()
        .matches(problem -> problem.kind() == Problem.Kind.UNDECODABLE)
        .matches(problem -> problem.path().isEmpty());
  }

  @Test
  void typeUrlIsThatOfTheMessage() {
    assertThat(RouteConfigurationDecoder.TYPE_URL)
        .endsWith(
            "/"
                + io.envoyproxy.envoy.config.route.v3.RouteConfiguration.getDescriptor()
                    .getFullName());
  }
}
