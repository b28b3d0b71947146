// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each entry of the {@link Catalogue} is told to the right author, for the right reason, and to
 * nobody else; and what was there before goes on.
 */
class CatalogueTest {
  private static final Backend ONE = Backend.start("one");
  private static final String GOOD = "HTTPProxy/default/good";
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig =
        Rig.start(
            "delta",
            "base.yaml",
            Docs.of(
                Yaml.service("one", ONE.port()),
                Yaml.service("two", ONE.port()),
                Yaml.root(
                    "good", "good.example", "routes: [{services: [{name: one, port: 80}]}]")));
    rig.plane().awaitProgrammed(GOOD, 1);
  }

  @AfterAll
  static void stop() {
    rig.close();
    ONE.close();
  }

  static List<Catalogue.Entry> ofEnvoy() {
    return writable(Catalogue.ENVOY);
  }

  static List<Catalogue.Entry> ofContour() {
    return writable(Catalogue.CONTOUR);
  }

  static List<Catalogue.Entry> ofExtensions() {
    return writable(Catalogue.EXTENSIONS);
  }

  private static List<Catalogue.Entry> writable(List<Catalogue.Entry> entries) {
    Stream<Catalogue.Entry> written =
        entries.stream().filter(entry -> entry.end() != Catalogue.End.CANNOT_BE_WRITTEN);
    return written.toList();
  }

  @ParameterizedTest
  @MethodSource("ofEnvoy")
  void whatEnvoyRefusesIsToldToItsAuthor(Catalogue.Entry entry) {
    check(entry);
  }

  @ParameterizedTest
  @MethodSource("ofContour")
  void whatContourLetsThroughIsToldToItsAuthor(Catalogue.Entry entry) {
    check(entry);
  }

  @ParameterizedTest
  @MethodSource("ofExtensions")
  void whatExtensionsCanDoIsToldToTheirAuthor(Catalogue.Entry entry) {
    check(entry);
  }

  private static void check(Catalogue.Entry entry) {
    rig.write("bad.yaml", entry.yaml());
    try {
      Plane.await(entry + ": " + rig.plane().object(entry.key()), () -> isAsExpected(entry));
      Rig.awaitSeen("200 one", rig.http(), "good.example", "/");
      assertThat(rig.plane().said(GOOD, "Programmed").status()).isEqualTo("True");
    } finally {
      rig.plane().delete("bad.yaml");
    }
    Plane.await("gone: " + entry.key(), () -> !rig.plane().object(entry.key()).has("generation"));
    canStillChange();
  }

  private static boolean isAsExpected(Catalogue.Entry entry) {
    Plane.Said valid = rig.plane().said(entry.key(), "Valid");
    Plane.Said programmed = rig.plane().said(entry.key(), "Programmed");
    return switch (entry.end()) {
      case NOT_VALID -> valid.status().equals("False") && valid.message().contains(entry.says());
      case REJECTED ->
          programmed.reason().equals("RejectedNew")
              && valid.status().equals("True")
              && programmed.message().contains(entry.says());
      case SERVED -> programmed.status().equals("True");
      case CANNOT_BE_WRITTEN -> true;
    };
  }

  /** Nothing of a bad entry stays behind that would stop later changes. */
  private static void canStillChange() {
    long next = rig.generation("HTTPProxy/default/probe") + 1;
    rig.apply(
        "HTTPProxy/default/probe",
        Yaml.root(
            "probe",
            "probe.example",
            "routes: [{directResponsePolicy: {statusCode: 200, body: \"" + next + "\"}}]"));
    Rig.awaitSeen("" + next, () -> rig.http().get("/").host("probe.example").send().body());
  }
}
