// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples match, and what cannot be sampled has none. */
class RegexSampleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/r/[0-9]+",
        "/(api|app)/v[12]/.*",
        "/users/(?P<id>[^/]+)/?",
        "^/a$",
        "/x{3}\\.html",
        "/[^a-z]b?c*",
        "/\\d{2,4}-\\w+",
        "/(?:one|two)+?",
        "[]a]/x"
      })
  void aSampleMatches(String regex) {
    assertThat(RegexSample.of(regex)).isNotNull();
    assertThat(Pattern.matches(regex, RegexSample.of(regex))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a**", "(", "[", "(?i)a", "\\pL", "a{1000}", "a{", "\\"})
  void whatIsNotUnderstoodHasNone(String regex) {
    assertThat(RegexSample.of(regex)).isNull();
  }

  @Test
  void aHugeOneHasNone() {
    assertThat(RegexSample.of("a{60}".repeat(100))).isNull();
    assertThat(RegexSample.of("(".repeat(100_000))).isNull();
  }
}
