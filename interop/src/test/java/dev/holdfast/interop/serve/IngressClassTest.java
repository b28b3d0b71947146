// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects that are for others are left alone. */
class IngressClassTest {
  private static final Backend ONE = Backend.start("one");
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = Rig.start("delta", "base.yaml", Yaml.service("one", ONE.port()));
  }

  @AfterAll
  static void stop() {
    rig.close();
    ONE.close();
  }

  private static String proxy(String name, String spec) {
    return Yaml.root(
        name, name + ".example", "routes: [{services: [{name: one, port: 80}]}]\n" + spec);
  }

  private static String ingress(String name, String annotations, String spec) {
    return Docs.ingress(
        name,
        annotations,
        "rules: [%s]\n%s"
            .formatted(
                IngressTest.rule(name + ".example", IngressTest.path("Prefix", "/", "one")), spec));
  }

  @ParameterizedTest
  @CsvSource({"mine, holdfast", "theirs, contour"})
  void aClassThatIsOursIsServed(String name, String written) {
    rig.apply("HTTPProxy/default/p-" + name, proxy("p-" + name, "ingressClassName: " + written));
    rig.apply(
        "Ingress/default/i-" + name, ingress("i-" + name, "", "ingressClassName: " + written));
    Rig.awaitSeen("200 one", rig.http(), "p-" + name + ".example", "/");
    Rig.awaitSeen("200 one", rig.http(), "i-" + name + ".example", "/");
  }

  @Test
  void aClassOfOthersIsNotServed() {
    rig.put("HTTPProxy/default/p-other", proxy("p-other", "ingressClassName: nginx"));
    rig.put("Ingress/default/i-other", ingress("i-other", "", "ingressClassName: nginx"));
    rig.plane().awaitSaid("HTTPProxy/default/p-other", "Programmed", "NotReferenced");
    Plane.Said said =
        rig.plane().awaitSaid("Ingress/default/i-other", "Programmed", "NotReferenced");
    assertThat(said.message()).contains("ingress class");
    assertThat(Rig.seen(rig.http(), "p-other.example", "/")).isEqualTo("404");
    assertThat(Rig.seen(rig.http(), "i-other.example", "/")).isEqualTo("404");
  }

  @ParameterizedTest
  @CsvSource({"own, projectcontour.io/ingress.class", "common, kubernetes.io/ingress.class"})
  void anAnnotationWinsOverTheField(String name, String annotation) {
    String key = "Ingress/default/" + name;
    rig.put(key, ingress(name, annotation + ": nginx", "ingressClassName: holdfast"));
    rig.plane().awaitSaid(key, "Programmed", "NotReferenced");
    assertThat(Rig.seen(rig.http(), name + ".example", "/")).isEqualTo("404");

    rig.put(key, ingress(name, annotation + ": holdfast", "ingressClassName: nginx"));
    Rig.awaitSeen("200 one", rig.http(), name + ".example", "/");
  }

  @ParameterizedTest
  @CsvSource({"p-own, projectcontour.io/ingress.class", "p-common, kubernetes.io/ingress.class"})
  void anAnnotationOfAProxyWinsToo(String name, String annotation) {
    String key = "HTTPProxy/default/" + name;
    String written = proxy(name, "ingressClassName: holdfast");
    rig.put(
        key,
        written.replace(
            "  name: " + name,
            "  name: %s\n  annotations: {%s: nginx}".formatted(name, annotation)));
    rig.plane().awaitSaid(key, "Programmed", "NotReferenced");
    rig.put(key, written);
    Rig.awaitSeen("200 one", rig.http(), name + ".example", "/");
  }
}
