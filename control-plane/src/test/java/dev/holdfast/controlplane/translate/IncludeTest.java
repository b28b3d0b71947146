// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.at;
import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.ResourceType;
import org.junit.jupiter.api.Test;

/** Included routes match by the conditions of the include and of the route. */
class IncludeTest {
  private static final String S = "default/s/80";

  private static String include(String name, String conditions) {
    return "{name: " + name + ", conditions: [" + conditions + "]}";
  }

  private static String includes(String... includes) {
    return "includes: [" + String.join(", ", includes) + "]";
  }

  @Test
  void pathsAreConcatenatedAndSlashesCollapse() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", includes(include("b", "{prefix: /b/}"), include("c", "{prefix: /c}")))
                + proxy(
                    "b",
                    routes(
                        at("/x", "s"),
                        "{conditions: [{exact: /e}], services: [{name: s, port: 80}]}"))
                + proxy("c", includes(include("d", "{prefix: /d}")) + ", " + routes(to("s")))
                + proxy("d", routes(at("/y", "s"))));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("=/b/e -> " + S, "/c/d/y* -> " + S, "/b/x* -> " + S, "/c* -> " + S);
  }

  @Test
  void alternativesOfAnIncludedRegularExpressionStayBehindThePrefix() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", includes(include("b", "{prefix: /team}")))
                + proxy(
                    "b",
                    "routes: [{conditions: [{regex: '/x|/admin'}], services: [{name: s, port:"
                        + " 80}]}]"));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("~/team(?:/x|/admin) -> " + S);
  }

  @Test
  void prefixBeforeARegularExpressionIsQuoted() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", includes(include("b", "{prefix: '/a('}")))
                + proxy(
                    "b",
                    "routes: [{conditions: [{regex: '/[0-9]+'}], services: [{name: s, port: 80}]}]"));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("~/a\\((?:/[0-9]+) -> " + S);
  }

  @Test
  void headersAndQueriesAreMerged() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    includes(
                        include(
                            "b",
                            "{header: {name: h1, present: true}}, {queryParameter: {name: q1,"
                                + " present: true}}")))
                + proxy(
                    "b",
                    "routes: [{conditions: [{header: {name: h2, exact: v}}, {header: {name: h1,"
                        + " present: true}}, {queryParameter: {name: q2, exact: v}}], services:"
                        + " [{name: s, port: 80}]}]"));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("/* h:h1 h:h2 q:q1 q:q2 -> " + S);
  }

  @Test
  void unresolvedIncludeAnswers502AndTheRestIsServed() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    includes(
                            include("none", "{prefix: /none}"),
                            include("r", "{prefix: /root}"),
                            include("bad", "{prefix: /bad}"))
                        + ", "
                        + routes(to("s")))
                + root("r", routes(to("s")))
                + proxy("bad", "mistake: 1"));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("/none* -> 502", "/root* -> 502", "/bad* -> 502", "/* -> " + S);
    assertThat(TranslationText.problems(translation))
        .contains(
            "HTTPProxy/default/a: spec.includes[0]: HTTPProxy/default/none does not exist",
            "HTTPProxy/default/a: spec.includes[1]: HTTPProxy/default/r has a virtualhost (expected:"
                + " a proxy that has none)",
            "HTTPProxy/default/a: spec.includes[2]: HTTPProxy/default/bad is not valid");
  }

  @Test
  void includeCycleIsCut() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", includes(include("b", "{prefix: /b}")))
                + proxy("b", includes(include("c", "{prefix: /c}")) + ", " + routes(to("s")))
                + proxy("c", includes(include("b", "{prefix: /again}")) + ", " + routes(to("s"))));

    assertThat(TranslationText.plain(translation, "a.com"))
        .containsExactly("/b/c/again* -> 502", "/b/c* -> " + S, "/b* -> " + S);
    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/b: spec.includes[0]: an include cycle: b -> c -> b (expected: no"
                + " cycle)",
            "HTTPProxy/default/c: spec.includes[0]: an include cycle: c -> b -> c (expected: no"
                + " cycle)");
  }

  @Test
  void duplicateIncludeConditionsAreAnError() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root(
                    "a",
                    includes(
                        include("b", "{prefix: /x}"),
                        include("c", "{prefix: /x}"),
                        "{name: b}",
                        "{name: c}"))
                + proxy("b", routes(to("s")))
                + proxy("c", routes(at("/c", "s"))));

    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/a: spec.includes[1].conditions: the same as those of"
                + " spec.includes[0] (expected: others)");
    assertThat(TranslationText.plain(translation, "a.com"))
        .contains("/x* -> " + S, "/x/c* -> " + S, "/* -> " + S, "/c* -> " + S);
  }

  @Test
  void proxyIncludedByTwoRootsIsServedByBothAndAnOrphanByNone() {
    Translation translation =
        YamlObjects.translation(
            service("s")
                + root("a", "includes: [{name: c}]")
                + root("b", "includes: [{name: c}]")
                + proxy("c", routes(to("s")))
                + proxy("o", routes(to("s"))));

    assertThat(TranslationText.plain(translation, "a.com"))
        .isEqualTo(TranslationText.plain(translation, "b.com"));
    TranslatedObject child = translation.objects().get(YamlObjects.proxyKey("c"));
    TranslatedObject orphan = translation.objects().get(YamlObjects.proxyKey("o"));
    assertThat(child != null && !child.orphaned()).isTrue();
    assertThat(orphan != null && orphan.orphaned() && orphan.footprint().isEmpty()).isTrue();
    assertThat(TranslationText.names(translation, ResourceType.CLUSTER)).containsExactly(S);
  }

  @Test
  void multiplyingIncludesAreLimited() {
    StringBuilder yaml = new StringBuilder(service("s") + root("a", "includes: [{name: p0}]"));
    for (int i = 0; i < 30; i++) {
      yaml.append(
          proxy(
              "p" + i,
              includes(
                  include("p" + (i + 1), "{prefix: /l}"), include("p" + (i + 1), "{prefix: /r}"))));
    }
    yaml.append(proxy("p30", routes(to("s"))));
    Translation translation = YamlObjects.translation(yaml.toString());

    assertThat(TranslationText.problems(translation))
        .anyMatch(text -> text.startsWith("HTTPProxy/default/a: spec.includes: more than 10000"));
    assertThat(TranslationText.plain(translation, "a.com")).hasSizeLessThanOrEqualTo(10_000);
  }

  @Test
  void includeDepthIsLimited() {
    StringBuilder yaml = new StringBuilder(service("s") + root("a", "includes: [{name: p0}]"));
    for (int i = 0; i < 200; i++) {
      yaml.append(proxy("p" + i, includes(include("p" + (i + 1), "{prefix: /l}"))));
    }
    yaml.append(proxy("p200", routes(to("s"))));
    Translation translation = YamlObjects.translation(yaml.toString());

    assertThat(TranslationText.problems(translation))
        .containsExactly(
            "HTTPProxy/default/p62: spec.includes[0]: more than 64 levels of includes (expected:"
                + " fewer)");
    assertThat(TranslationText.plain(translation, "a.com"))
        .hasSize(1)
        .allMatch(line -> line.endsWith("502"));
  }
}
