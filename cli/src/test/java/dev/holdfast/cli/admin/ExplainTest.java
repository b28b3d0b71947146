// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a piece of configuration came from. */
class ExplainTest {
  private final AdminFixture fixture = new AdminFixture();

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void withoutAPathAllPartsAreListed() {
    int exitCode = fixture.run("explain", "Cluster/shop/web/80");

    assertThat(fixture.captured.out())
        .isEqualTo(
            """
            Resource:    Cluster/shop/web/80
            Version:     0123456789abcdef
            Accepted:    edge-1
            Pending:     -
            Rejected:    edge-2

            Comes from:
              PATH                            OBJECT               GENERATION  FIELD                       LOCATION
              (whole resource)                HTTPProxy/shop/web   2           spec.routes[0].services[0]  shop/web.yaml:3:1
              circuit_breakers                HTTPProxy/shop/web   2           spec.limits                 shop/web.yaml:3:1
              circuit_breakers                HTTPProxy/blog/main  1           spec.limits                 blog/main.yaml:3:1
              circuit_breakers.thresholds[0]  HTTPProxy/shop/web   2           spec.limits.most            shop/web.yaml:17:3
            """);
    assertThat(exitCode).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // the innermost that holds it
        "name | spec.routes[0].services[0]",
        "circuit_breakers.thresholds[0].max_connections | spec.limits.most",
        "circuitBreakers.thresholds[0].maxConnections | spec.limits.most",
        // several objects, and what is within
        "circuit_breakers | spec.limits,spec.limits,spec.limits.most",
      })
  void aPartIsThatOfTheLongestPathAndWhatIsWithinIt(String path, String fields) {
    int exitCode = fixture.run("explain", "cluster/shop/web/80#" + path, "-o", "json");

    JsonObject json = JsonParser.parseString(fixture.captured.out()).getAsJsonObject();
    assertThat(
            json.getAsJsonArray("parts").asList().stream()
                .map(part -> part.getAsJsonObject().get("field").getAsString()))
        .containsExactly(fields.split(","));
    assertThat(exitCode).isZero();
  }

  @Test
  void programsAreToldEverything() {
    fixture.run("explain", "Cluster/shop/web/80#circuit_breakers.thresholds[0]", "-o", "yaml");

    assertThat(fixture.captured.out())
        .isEqualTo(
            """
            type: Cluster
            name: shop/web/80
            version: '0123456789abcdef'
            path: circuit_breakers.thresholds[0]
            parts:
            - path: circuit_breakers.thresholds[0]
              object:
                kind: HTTPProxy
                namespace: shop
                name: web
              generation: 2
              field: spec.limits.most
              location: shop/web.yaml:17:3
            accepted:
            - edge-1
            pending: []
            rejected:
            - edge-2
            """);
  }

  @Test
  void aPartThatTheResourceDoesNotHaveIsAFailure() {
    int exitCode = fixture.run("explain", "Cluster/shop/web/80#circuit_breakers.thresholds[1]");

    assertThat(fixture.captured.err())
        .isEqualTo(
            "holdfast: Cluster/shop/web/80 has no circuit_breakers.thresholds[1] (expected: [0])\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          circuitBreaker                   | circuit_breaker (expected: name, circuit_breakers)
          circuit_breakers.thresholds.x    | circuit_breakers.thresholds.x (expected: [0])
          name.x.y                         | name.x (expected: no further step, this is a plain value)
          """)
  void whatThereIsInsteadIsSaid(String path, String problem) {
    assertThat(fixture.run("explain", "Cluster/shop/web/80#" + path)).isEqualTo(1);
    assertThat(fixture.captured.err())
        .isEqualTo("holdfast: Cluster/shop/web/80 has no " + problem + "\n");
  }

  @Test
  void aResourceThatDoesNotExistIsAFailure() {
    assertThat(fixture.run("explain", "route/nobody")).isEqualTo(1);
    assertThat(fixture.captured.err())
        .isEqualTo(
            "holdfast: RouteConfiguration/nobody: no such resource ('holdfast get resources' lists"
                + " all)\n");
  }

  @ParameterizedTest
  @CsvSource({"Cluster", "Cluster/", "/a", "Cluster/a#b[", "Cluster/a#.b", "Cluster/a#b[01]"})
  void whatIsNoNameOfAResourceIsABadArgument(String name) {
    assertThat(fixture.run("explain", name)).isEqualTo(2);
    assertThat(fixture.captured.err()).contains("(expected: ");
  }
}
