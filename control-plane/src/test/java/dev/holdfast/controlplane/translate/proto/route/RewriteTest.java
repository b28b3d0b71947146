// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prefix rewrites, with and without trailing slashes. */
class RewriteTest {
  private static boolean noOther(Conditions unused) {
    return false;
  }

  private static List<String> forms(Route route, Predicate<Conditions> routed) {
    return Rewrites.forms(route, route.conditions(), routed).stream()
        .map(
            form ->
                form.conditions().path().kind()
                    + " "
                    + form.conditions().path().text()
                    + " -> "
                    + form.replacement())
        .toList();
  }

  private static Route rewriting(String prefix, String replace) {
    return YamlFixtures.route(
        "conditions: [{prefix: %s}], services: [{name: s, port: 80}],".formatted(prefix)
            + " pathRewritePolicy: {replacePrefix: ["
            + replace
            + "]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "/foo => /bar => PREFIX /foo -> /bar; PREFIX /foo/ -> /bar/",
        "/foo => / => PREFIX /foo -> /; PREFIX /foo/ -> /",
        "/foo => /bar/ => PREFIX /foo -> /bar; PREFIX /foo/ -> /bar/",
        "/foo/ => /bar => PREFIX /foo/ -> /bar/; EXACT /foo -> /bar",
        "/foo/ => / => PREFIX /foo/ -> /; EXACT /foo -> /",
        "/ => /bar => PREFIX / -> /bar",
      })
  void otherFormHasItsOwnSlash(String prefix, String replacement, String forms) {
    assertThat(forms(rewriting(prefix, "{replacement: " + replacement + "}"), RewriteTest::noOther))
        .containsExactly(forms.split("; "));
  }

  @Test
  void specificReplacementTakesPrecedence() {
    String policy = "{replacement: /all}, {prefix: /foo, replacement: /one}";

    assertThat(forms(rewriting("/foo", policy), RewriteTest::noOther))
        .first()
        .asString()
        .endsWith("/one");
    assertThat(forms(rewriting("/bar", policy), RewriteTest::noOther))
        .first()
        .asString()
        .endsWith("/all");
    assertThat(forms(rewriting("/bar", "{prefix: /foo, replacement: /one}"), RewriteTest::noOther))
        .containsExactly("PREFIX /bar -> null");
  }

  @Test
  void noOtherFormIfTheAuthorHasARouteForIt() {
    Conditions other =
        new Conditions(
            new Conditions.Path(Conditions.PathKind.PREFIX, "/foo/"), List.of(), List.of());

    assertThat(forms(rewriting("/foo", "{replacement: /bar/}"), other::equals))
        .containsExactly("PREFIX /foo -> /bar/");
  }

  @Test
  void formsDifferInThePathOnly() {
    Route route =
        YamlFixtures.route(
            "conditions: [{prefix: /foo}, {header: {name: a, present: true}}, {queryParameter:"
                + " {name: q, present: true}}], services: [{name: s, port: 80}],"
                + " pathRewritePolicy: {replacePrefix: [{replacement: /}]}");

    List<RouteForm> forms = Rewrites.forms(route, route.conditions(), RewriteTest::noOther);

    assertThat(forms).hasSize(2);
    assertThat(forms.get(1).conditions().headers()).isEqualTo(route.conditions().headers());
    assertThat(forms.get(1).conditions().queries()).isEqualTo(route.conditions().queries());
  }

  @Test
  void redirectReplacesExactlyWhatItMatches() {
    assertThat(
            forms(
                YamlFixtures.route(
                    "conditions: [{prefix: /foo}], requestRedirectPolicy: {prefix: /bar}"),
                RewriteTest::noOther))
        .containsExactly("PREFIX /foo -> /bar");
    assertThat(
            forms(
                YamlFixtures.route(
                    "conditions: [{prefix: /foo/}], requestRedirectPolicy: {prefix: /bar}"),
                RewriteTest::noOther))
        .containsExactly("PREFIX /foo/ -> /bar");
    assertThat(
            forms(
                YamlFixtures.route(
                    "conditions: [{exact: /foo}], requestRedirectPolicy: {prefix: /bar}"),
                RewriteTest::noOther))
        .containsExactly("EXACT /foo -> /bar");
  }

  @Test
  void routeWithoutReplacementHasOneForm() {
    assertThat(
            forms(
                YamlFixtures.route("conditions: [{prefix: /foo}], services: [{name: s, port: 80}]"),
                RewriteTest::noOther))
        .containsExactly("PREFIX /foo -> null");
  }
}
