// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.translate.proto.Text;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Route matches. */
class RouteMatchTest {
  private static Conditions conditions(String yaml) {
    return YamlFixtures.route("services: [{name: s, port: 80}], conditions: [" + yaml + "]")
        .conditions();
  }

  private static RouteMatch match(String yaml) {
    return RouteMatches.of(conditions(yaml), "shop.example");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "{header: {name: a, present: true}} => prefix: \"/\" headers { name: \"a\" present_match: true }",
        "{prefix: /a} => prefix: \"/a\"",
        "{exact: /a} => path: \"/a\"",
        "{regex: '/a.*b'} => safe_regex { regex: \"/a.*b\" }",
      })
  void pathMatches(String yaml, String text) {
    assertThat(Text.of(match(yaml))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "present: true => present_match: true",
        "notpresent: true => present_match: true invert_match: true",
        "contains: v => string_match { contains: \"v\" }",
        "notcontains: v => invert_match: true string_match { contains: \"v\" }",
        "exact: v => string_match { exact: \"v\" }",
        "exact: '' => string_match { exact: \"\" }",
        "notexact: v => invert_match: true string_match { exact: \"v\" }",
        "regex: v+ => string_match { safe_regex { regex: \"v+\" } }",
        "exact: v, ignoreCase: true => string_match { exact: \"v\" ignore_case: true }",
        "contains: v, ignoreCase: true => string_match { ignore_case: true contains: \"v\" }",
        "notexact: v, treatMissingAsEmpty: true => invert_match: true string_match { exact: \"v\" } treat_missing_header_as_empty: true",
      })
  void headerMatches(String yaml, String text) {
    RouteMatch match = match("{header: {name: X-A, " + yaml + "}}");

    assertThat(match.getPrefix()).isEqualTo("/");
    assertThat(match.getHeadersList().stream().map(Text::of))
        .containsExactly("name: \"X-A\" " + text);
  }

  @Test
  void hostIsAPseudoHeader() {
    assertThat(match("{header: {name: Host, exact: a.b}}").getHeaders(0).getName())
        .isEqualTo(":authority");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "present: true => present_match: true",
        "exact: v => string_match { exact: \"v\" }",
        "prefix: v => string_match { prefix: \"v\" }",
        "suffix: v => string_match { suffix: \"v\" }",
        "contains: v => string_match { contains: \"v\" }",
        "regex: v+ => string_match { safe_regex { regex: \"v+\" } }",
        "exact: v, ignoreCase: true => string_match { exact: \"v\" ignore_case: true }",
      })
  void queryParameterMatches(String yaml, String text) {
    assertThat(
            match("{queryParameter: {name: q, " + yaml + "}}").getQueryParametersList().stream()
                .map(Text::of))
        .containsExactly("name: \"q\" " + text);
  }

  @Test
  void conditionsAreCombinedInOrder() {
    RouteMatch match =
        match(
            "{header: {name: b, present: true}}, {prefix: /x}, {queryParameter: {name: q,"
                + " present: true}}, {header: {name: a, present: true}}");

    assertThat(Text.of(match))
        .isEqualTo(
            "prefix: \"/x\" headers { name: \"b\" present_match: true } headers { name: \"a\""
                + " present_match: true } query_parameters { name: \"q\" present_match: true }");
  }

  @ParameterizedTest
  @CsvSource({
    "a.shop.example, true",
    "A.SHOP.example, true",
    "a-1_b.shop.example, true",
    "a.shop.example:8080, true",
    "a.b.shop.example, false",
    "a.b.c.shop.example, false",
    ".shop.example, false",
  })
  void wildcardHostMatchesOneLabel(String authority, boolean matches) {
    RouteMatch match = RouteMatches.of(conditions("{prefix: /}"), "*.shop.example");

    HeaderMatcher header = match.getHeaders(0);
    assertThat(header.getName()).isEqualTo(":authority");
    assertThat(
            Pattern.compile(header.getStringMatch().getSafeRegex().getRegex()).matches(authority))
        .isEqualTo(matches);
  }

  @Test
  void hostWithoutWildcardNeedsNoExtraCondition() {
    assertThat(RouteMatches.everything("shop.example").getHeadersList()).isEmpty();
    assertThat(RouteMatches.everything("*").getHeadersList()).isEmpty();
    assertThat(RouteMatches.everything("*.example").getHeadersList()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "pathType: Prefix, path: / => prefix: \"/\"",
        "pathType: Prefix, path: // => prefix: \"/\"",
        "pathType: Prefix, path: /a => path_separated_prefix: \"/a\"",
        "pathType: Prefix, path: /a/b// => path_separated_prefix: \"/a/b\"",
        "pathType: Exact, path: /a/ => path: \"/a/\"",
        "pathType: ImplementationSpecific => prefix: \"/\"",
        "pathType: ImplementationSpecific, path: /a => prefix: \"/a\"",
        "pathType: ImplementationSpecific, path: '/a+' => safe_regex { regex: \"/a+\" }",
      })
  void ingressPathIsMatchedByItsType(String path, String text) {
    assertThat(
            Text.of(
                RouteMatches.of(
                    YamlFixtures.ingress("", path).rules().get(0).paths().get(0), "shop.example")))
        .isEqualTo(text);
  }
}
