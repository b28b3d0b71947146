// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.Given.root;
import static dev.holdfast.controlplane.translate.Given.service;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The narrower route comes first; of two that are the same, the later one counts. */
class RouteOrderTest {
  private static String route(String conditions) {
    return "{conditions: [" + conditions + "], services: [{name: s, port: 80}]}";
  }

  private static final String HEADER = "{header: {name: h, present: true}}";
  private static final String QUERY = "{queryParameter: {name: q, present: true}}";

  @Test
  void exactThenRegexThenPrefixLongerFirstThenMoreConditions() {
    Translation translation =
        Given.translation(
            service("s")
                + root(
                    "a",
                    Given.routes(
                        route("{prefix: /}"),
                        route("{prefix: /}, " + QUERY),
                        route("{prefix: /}, " + HEADER),
                        route("{prefix: /longer}"),
                        route("{regex: '/[a-z]'}"),
                        route("{regex: '/[a-z]+x'}"),
                        route("{exact: /e}"),
                        route("{exact: /exact}"))));

    assertThat(Then.plain(translation, "a.com"))
        .extracting(line -> line.substring(0, line.indexOf(" ->")))
        .containsExactly(
            "=/exact", "=/e", "~/[a-z]+x", "~/[a-z]", "/longer*", "/* h:h", "/* q:q", "/*");
  }

  @Test
  void theLaterOfTwoRoutesCountsAndTheOtherIsRemarkedUpon() {
    Translation translation =
        Given.translation(
            service("s")
                + service("t")
                + root(
                    "a",
                    Given.routes(
                        "{conditions: [{prefix: /x}], services: [{name: s, port: 80}]}",
                        "{conditions: [{prefix: /x}], services: [{name: t, port: 80}]}")));

    assertThat(Then.plain(translation, "a.com")).containsExactly("/x* -> default/t/80");
    assertThat(Then.problems(translation)).isEmpty();
    assertThat(Then.warnings(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[0]: never used: spec.routes[1] has the same"
                + " conditions");
  }

  @Test
  void theOrderOfConditionsSaysNothing() {
    Translation translation =
        Given.translation(
            service("s")
                + root(
                    "a",
                    Given.routes(
                        route(
                            "{prefix: /}, {header: {name: h, present: true}}, {header: {name: i, present: true}}"),
                        route(
                            "{header: {name: i, present: true}}, {header: {name: h, present: true}}"))));

    assertThat(Then.plain(translation, "a.com")).hasSize(1);
  }

  @Test
  void aReplacedPrefixTakesBothFormsUnlessBothAreWritten() {
    String rewrite = "pathRewritePolicy: {replacePrefix: [{replacement: /y}]}";
    Translation translation =
        Given.translation(
            service("s")
                + root(
                    "a",
                    Given.routes(
                        "{conditions: [{prefix: /x}], services: [{name: s, port: 80}], "
                            + rewrite
                            + "}"))
                + root(
                    "b",
                    Given.routes(
                        "{conditions: [{prefix: /x}], services: [{name: s, port: 80}], "
                            + rewrite
                            + "}",
                        route("{prefix: /x/}"))));

    assertThat(Then.plain(translation, "a.com"))
        .containsExactly("/x/* -> default/s/80 as /y/", "/x* -> default/s/80 as /y");
    assertThat(Then.plain(translation, "b.com"))
        .containsExactly("/x/* -> default/s/80", "/x* -> default/s/80 as /y");
  }
}
