// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.testing.Outcomes;
import org.junit.jupiter.api.Test;

class RouteMatchTest {

  @Test
  void prefixMatchesTheBeginning() {
    PathMatcher path = Routes.match("prefix: '/acme.Service/'").path();

    assertThat(path).isEqualTo(new PathMatcher.Prefix("/acme.Service/", true));
    assertThat(path.matches("/acme.Service/Get")).isTrue();
    assertThat(path.matches("/acme.Servic")).isFalse();
    assertThat(path.matches("/ACME.Service/Get")).isFalse();
  }

  @Test
  void emptyPrefixMatchesEverything() {
    assertThat(Routes.match("prefix: ''").path().matches("/a/B")).isTrue();
  }

  @Test
  void pathMatchesTheWhole() {
    PathMatcher path = Routes.match("path: '/a.B/C'").path();

    assertThat(path.matches("/a.B/C")).isTrue();
    assertThat(path.matches("/a.B/CD")).isFalse();
    assertThat(path.matches("/a.b/c")).isFalse();
  }

  @Test
  void regexMatchesTheWhole() {
    PathMatcher path = Routes.match("safe_regex { regex: '/a\\\\..*' }").path();

    assertThat(path.matches("/a.B/C")).isTrue();
    assertThat(path.matches("x/a.B/C")).isFalse();
  }

  @Test
  void caseDoesNotMatterWhereTheRouteSaysSo() {
    assertThat(Routes.match("prefix: '/A' case_sensitive {}").path().matches("/ab")).isTrue();
    assertThat(Routes.match("path: '/A' case_sensitive {}").path().matches("/a")).isTrue();
    assertThat(Routes.match("path: '/A' case_sensitive { value: true }").path().matches("/a"))
        .isFalse();
  }

  @Test
  void regexOfEqualTextIsEqual() {
    assertThat(Routes.match("safe_regex { regex: 'a+' }"))
        .isEqualTo(Routes.match("safe_regex { regex: 'a+' }"))
        .isNotEqualTo(Routes.match("safe_regex { regex: 'b+' }"));
  }

  @Test
  void malformedRegexIsRejected() {
    assertThat(Outcomes.problems(Routes.withMatch("safe_regex { regex: '(a' }")))
        .containsExactly(
            Routes.ROUTE
                + "match.safe_regex.regex: \"(a\" is no RE2 expression: missing closing )");
  }

  @Test
  void missingPathIsRejected() {
    assertThat(Outcomes.problems(Routes.withMatch("")))
        .containsExactly(Routes.ROUTE + "match: no path (expected: prefix, path or safe_regex)");
  }

  @Test
  void missingMatchIsRejected() {
    assertThat(Outcomes.problems(Routes.withRoutes("route { cluster: 'c' }")))
        .containsExactly(Routes.ROUTE + "match: not set (expected: what the route matches)");
  }

  @Test
  void otherKindsOfPathAreRejected() {
    assertThat(Outcomes.problems(Routes.withMatch("connect_matcher {}")))
        .containsExactly(
            Routes.ROUTE + "match: CONNECT_MATCHER (expected: prefix, path or safe_regex)");
  }

  @Test
  void grpcAndTlsContextAreIgnored() {
    assertThat(Routes.match("prefix: '' grpc {} tls_context { presented { value: true } }"))
        .isEqualTo(Routes.match("prefix: ''"));
  }

  @Test
  void fractionIsBroughtToPartsPerMillion() {
    assertThat(fraction("numerator: 25")).isEqualTo(250_000);
    assertThat(fraction("numerator: 25 denominator: TEN_THOUSAND")).isEqualTo(2_500);
    assertThat(fraction("numerator: 25 denominator: MILLION")).isEqualTo(25);
    assertThat(fraction("")).isZero();
    assertThat(Routes.match("prefix: ''").fractionPerMillion()).isEqualTo(1_000_000);
  }

  @Test
  void fractionAboveTheWholeIsTheWhole() {
    assertThat(fraction("numerator: 101")).isEqualTo(1_000_000);
    assertThat(fraction("numerator: 4294967295")).isEqualTo(1_000_000);
    assertThat(fraction("numerator: 429497 denominator: HUNDRED")).isEqualTo(1_000_000);
  }

  @Test
  void fractionWithoutAValueOrWithAnUnknownDenominatorIsRejected() {
    assertThat(
            Outcomes.problems(Routes.withMatch("prefix: '' runtime_fraction { runtime_key: 'k' }")))
        .containsExactly(
            Routes.ROUTE
                + "match.runtime_fraction.default_value: not set (expected: the fraction of calls"
                + " that take the route)");
    assertThat(
            Outcomes.problems(
                Routes.withMatch(
                    "prefix: '' runtime_fraction { default_value { denominator: 7 } }")))
        .containsExactly(
            Routes.ROUTE
                + "match.runtime_fraction.default_value.denominator: 7 (expected: HUNDRED,"
                + " TEN_THOUSAND or MILLION)");
  }

  private static int fraction(String value) {
    return Routes.match("prefix: '' runtime_fraction { default_value {" + value + "} }")
        .fractionPerMillion();
  }
}
