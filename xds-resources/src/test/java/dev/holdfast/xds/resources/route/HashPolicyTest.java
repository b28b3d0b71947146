// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashPolicyTest {

  @Test
  void headerAndChannelIdAreSupportedAndAllElseYieldsNoHash() {
    assertThat(
            policies(
                """
                hash_policy { cookie { name: 'c' } terminal: true }
                hash_policy { header { header_name: 'X-User' } terminal: true }
                hash_policy { connection_properties { source_ip: true } }
                hash_policy { query_parameter { name: 'q' } }
                hash_policy { filter_state { key: 'other' } }
                hash_policy { filter_state { key: 'io.grpc.channel_id' } }
                hash_policy {}
                """))
        .isEqualTo(
            List.of(new HashPolicy.Header("x-user", null, true), new HashPolicy.ChannelId(false)));
  }

  @Test
  void eachKindHasItsBranch() {
    assertThat(
            policies(
                "hash_policy { header { header_name: 'h' } } hash_policy { filter_state { key:"
                    + " 'io.grpc.channel_id' } }"))
        .extracting(policy -> policy.<String>fold(header -> "header", id -> "channel id"))
        .containsExactly("header", "channel id");
  }

  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({
    "\\\\0-, foo42-",
    "\\\\1, foo",
    "<\\\\2\\\\1>, <42foo>",
    "\\\\10, foo0",
    "$1, $1",
    "\\\\\\\\, \\",
    "'', ''",
  })
  void rewritesTheValueInRe2sSyntax(String substitution, String expected) {
    HashPolicy.Header policy =
        (HashPolicy.Header)
            policies(
                    "hash_policy { header { header_name: 'h' regex_rewrite { pattern { regex:"
                        + " '([a-z]+)([0-9]+)' } substitution: '"
                        + substitution
                        + "' } } }")
                .get(0);

    assertThat(policy.rewrite()).isNotNull();
    assertThat(policy.rewrite().apply("foo42")).isEqualTo(expected);
  }

  @Test
  void malformedRewritesAreRejected() {
    assertThat(
            Outcomes.problems(
                Routes.withAction(
                    """
                    cluster: 'c'
                    hash_policy { header { header_name: 'h' regex_rewrite {} } }
                    hash_policy { header { header_name: 'h' regex_rewrite {
                      pattern { regex: '(' } } } }
                    hash_policy { header { header_name: 'h' regex_rewrite {
                      pattern { regex: '(a)' } substitution: '\\\\2' } } }
                    hash_policy { header { header_name: 'h' regex_rewrite {
                      pattern { regex: 'a' } substitution: 'x\\\\' } } }
                    """)))
        .containsExactly(
            Routes.ROUTE
                + "route.hash_policy[0].header.regex_rewrite.pattern: not set (expected: what to"
                + " replace)",
            Routes.ROUTE
                + "route.hash_policy[1].header.regex_rewrite.pattern.regex: \"(\" is no RE2"
                + " expression: missing closing )",
            Routes.ROUTE
                + "route.hash_policy[2].header.regex_rewrite.substitution: \"\\2\" (expected: \\0"
                + " to \\1 for groups of the pattern, \\\\ for a backslash)",
            Routes.ROUTE
                + "route.hash_policy[3].header.regex_rewrite.substitution: \"x\\\" (expected: \\0"
                + " to \\0 for groups of the pattern, \\\\ for a backslash)");
  }

  private static List<HashPolicy> policies(String policies) {
    return Routes.forward(Routes.withAction("cluster: 'c' " + policies)).hashPolicies();
  }
}
