// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** More specific routes come first; of two equal routes the later one wins. */
class RouteOrderTest {
  private static String route(String conditions) {
    return "{conditions: [" + conditions + "], services: [{name: s, port: 80}]}";
  }

  private static final String HEADER = "{header: {name: h, present: true}}";
  private static final String QUERY = "{queryParameter: {name: q, present: true}}";

  @Test
  void exactThenRegexThenPrefixThenLongerThenMoreConditions() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    YamlObjects.routes(
                        route("{prefix: /}"),
                        route("{prefix: /}, " + QUERY),
                        route("{prefix: /}, " + HEADER),
                        route("{prefix: /longer}"),
                        route("{regex: '/[a-z]'}"),
                        route("{regex: '/[a-z]+x'}"),
                        route("{exact: /e}"),
                        route("{exact: /exact}"))));

    assertThat(TranslationText.plain(translation, "a.com"))
        .extracting(line -> line.substring(0, line.indexOf(" ->")))
        .containsExactly(
            "=/exact", "=/e", "~/[a-z]+x", "~/[a-z]", "/longer*", "/* h:h", "/* q:q", "/*");
  }

  @Test
  void firstOfTwoEqualRoutesIsServedAndTheOtherIsAnError() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + service("t")
                + root(
                    "a",
                    YamlObjects.routes(
                        "{conditions: [{prefix: /x}], services: [{name: s, port: 80}]}",
                        "{conditions: [{prefix: /x}], services: [{name: t, port: 80}]}")));

    assertThat(TranslationText.plain(translation, "a.com")).containsExactly("/x* -> default/s/80");
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.routes[1]: never used: spec.routes[0] has the same"
                + " conditions (expected: others)");
  }

  @Test
  void ownRouteIsServedBeforeAnIncludedOneWithEqualConditions() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + service("t")
                + root(
                    "a",
                    "includes: [{name: b, conditions: [{prefix: /x}]}], "
                        + YamlObjects.routes(YamlObjects.at("/x/y", "s")))
                + YamlObjects.proxy(
                    "b", YamlObjects.routes(YamlObjects.at("/y", "t"), YamlObjects.at("/z", "t"))));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactlyInAnyOrder("/x/z* -> default/t/80", "/x/y* -> default/s/80");
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/b: spec.routes[0]: never used: spec.routes[0] of"
                + " HTTPProxy/default/a has the same conditions (expected: others)");
  }

  @Test
  void firstOfTwoIncludedRoutesIsServedAndAMissingIncludeGivesWay() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + service("t")
                + root("a", "includes: [{name: none}, {name: b}, {name: c}]")
                + YamlObjects.proxy("b", YamlObjects.routes(YamlObjects.to("s")))
                + YamlObjects.proxy("c", YamlObjects.routes(YamlObjects.to("t"))));

    assertThat(TranslationText.plain(translation, "a.com")).containsExactly("/* -> default/s/80");
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.includes[0]: HTTPProxy/default/none does not exist",
            "HTTPProxy/default/c: spec.routes[0]: never used: spec.routes[0] of"
                + " HTTPProxy/default/b has the same conditions (expected: others)");
  }

  @Test
  void orderOfConditionsDoesNotMatter() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    YamlObjects.routes(
                        route(
                            "{prefix: /}, {header: {name: h, present: true}}, {header: {name: i, present: true}}"),
                        route(
                            "{header: {name: i, present: true}}, {header: {name: h, present: true}}"))));

    assertThat(TranslationText.plain(translation, "a.com")).hasSize(1);
  }

  @Test
  void replacedPrefixHasBothFormsUnlessBothAreWritten() {
    String rewrite = "pathRewritePolicy: {replacePrefix: [{replacement: /y}]}";
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    YamlObjects.routes(
                        "{conditions: [{prefix: /x}], services: [{name: s, port: 80}], "
                            + rewrite
                            + "}"))
                + root(
                    "b",
                    YamlObjects.routes(
                        "{conditions: [{prefix: /x}], services: [{name: s, port: 80}], "
                            + rewrite
                            + "}",
                        route("{prefix: /x/}"))));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("/x/* -> default/s/80 as /y/", "/x* -> default/s/80 as /y");
    assertThat(TranslationText.plain(translation, "b.com"))
        .containsExactly("/x/* -> default/s/80", "/x* -> default/s/80 as /y");
  }
}
