// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderMatcherTest {

  @ParameterizedTest(name = "{0} on {1}: {2}")
  @CsvSource({
    "exact_match: 'ab', ab, true",
    "exact_match: 'ab', abc, false",
    "exact_match: 'ab', , false",
    "prefix_match: 'ab', abc, true",
    "prefix_match: 'ab', cab, false",
    "suffix_match: 'ab', cab, true",
    "suffix_match: 'ab', abc, false",
    "suffix_match: 'ab', b, false",
    "contains_match: 'ab', cabd, true",
    "contains_match: 'ab', acb, false",
    "safe_regex_match { regex: 'a+b' }, aab, true",
    "safe_regex_match { regex: 'a+b' }, aabc, false",
    "range_match { start: -1 end: 3 }, -1, true",
    "range_match { start: -1 end: 3 }, 2, true",
    "range_match { start: -1 end: 3 }, 3, false",
    "range_match { start: -1 end: 3 }, 1.5, false",
    "range_match { start: -1 end: 3 }, 99999999999999999999, false",
    "range_match { start: -1 end: 3 }, , false",
    "present_match: true, x, true",
    "present_match: true, , false",
    "present_match: false, x, false",
    "present_match: false, , true",
    "string_match { exact: 'ab' }, AB, false",
    "string_match { exact: 'ab' ignore_case: true }, AB, true",
    "string_match { prefix: 'ab' ignore_case: true }, ABc, true",
    "string_match { suffix: 'AB' ignore_case: true }, cab, true",
    "string_match { contains: 'AB' ignore_case: true }, cabd, true",
    "string_match { contains: 'AB' }, cabd, false",
    "string_match { safe_regex { regex: 'a' } ignore_case: true }, A, false",
    "exact_match: 'ab' invert_match: true, x, true",
    "exact_match: 'ab' invert_match: true, ab, false",
    "exact_match: 'ab' invert_match: true, , false",
    "present_match: true invert_match: true, , true",
  })
  void matches(String matcher, String value, boolean expected) {
    HeaderMatcher header =
        Routes.match("prefix: '' headers { name: 'X-Test' " + matcher + " }").headers().get(0);

    assertThat(header.name()).isEqualTo("x-test");
    assertThat(header.matches(value)).isEqualTo(expected);
  }

  @Test
  void everyBrokenMatcherIsReported() {
    assertThat(
            Outcomes.problems(
                Routes.withMatch(
                    """
                    prefix: ''
                    headers { name: 'a' }
                    headers { name: 'b' safe_regex_match { regex: '*' } }
                    headers { name: 'c' present_match: true }
                    headers { name: 'd' range_match { start: 2 end: 1 } }
                    headers { name: 'e' string_match {} }
                    headers { name: 'f' string_match { safe_regex { regex: '[' } } }
                    headers { name: 'g' string_match { custom { name: 'x' } } }
                    """)))
        .containsExactly(
            Routes.ROUTE
                + "match.headers[0]: no kind of match (expected: string_match, range_match,"
                + " present_match or one of the older ones; newer ones are not supported)",
            Routes.ROUTE
                + "match.headers[1].safe_regex_match.regex: \"*\" is no RE2 expression: missing"
                + " argument to repetition operator",
            Routes.ROUTE
                + "match.headers[3].range_match.end: 1 (expected: at least start, which is 2)",
            Routes.ROUTE
                + "match.headers[4].string_match: no pattern (expected: exact, prefix, suffix,"
                + " contains or safe_regex; newer ones are not supported)",
            Routes.ROUTE
                + "match.headers[5].string_match.safe_regex.regex: \"[\" is no RE2 expression:"
                + " missing closing ]",
            Routes.ROUTE
                + "match.headers[6].string_match.custom: an extension (expected: a pattern of the"
                + " API's own)");
  }
}
