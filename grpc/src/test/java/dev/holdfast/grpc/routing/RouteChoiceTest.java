// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which route a call takes (gRFC A28). */
class RouteChoiceTest {
  @ParameterizedTest
  @CsvSource({
    "Shop/Buy, exact",
    "SHOP/bUy, caseless",
    "Shop/Sell, prefix",
    "sHoP/Sell, rest",
    "Bank/Open, regex",
    "Bank/Openx, rest",
    "Other/X, rest"
  })
  void theFirstRouteWhosePathFits(String method, String cluster) {
    Routing it =
        new Routing()
            .routes(
                """
                {"match": {"path": "/Shop/Buy"}, "route": {"cluster": "exact"}},
                {"match": {"path": "/shop/buy", "case_sensitive": false},
                 "route": {"cluster": "caseless"}},
                {"match": {"prefix": "/Shop/"}, "route": {"cluster": "prefix"}},
                {"match": {"safe_regex": {"regex": "/Bank/[A-Z][a-n,p-w]*"}},
                 "route": {"cluster": "regex"}},
                {"match": {"prefix": ""}, "route": {"cluster": "rest"}}
                """);
    assertThat(it.route(method)).isEqualTo(cluster);
    assertThat(it.route(method)).as("from memory").isEqualTo(cluster);
  }

  @Test
  void earlierRoutesGoBeforeBetterOnes() {
    Routing it =
        new Routing()
            .routes(
                """
                {"match": {"prefix": "/Shop"}, "route": {"cluster": "first"}},
                {"match": {"path": "/Shop/Buy"}, "route": {"cluster": "better"}}
                """);
    assertThat(it.route("Shop/Buy")).isEqualTo("first");
  }

  @Test
  void noRouteSaysWhichPathAndWhere() {
    Routing it =
        new Routing().routes("{\"match\": {\"prefix\": \"/A/\"}, \"route\": {\"cluster\": \"c\"}}");
    assertThat(it.route("B/X")).isEqualTo("no route for /B/X in virtual host h of RDS resource r");
  }

  @Test
  void routeForServersFailsTheCall() {
    Routing it =
        new Routing().routes("{\"match\": {\"prefix\": \"\"}, \"non_forwarding_action\": {}}");
    assertThat(it.route("B/X"))
        .isEqualTo(
            "the route of /B/X does not lead to a cluster in virtual host h of RDS resource r");
  }

  @Test
  void fractionOfTheCallsTakesARoute() {
    Routing it =
        new Routing()
            .routes(
                """
                {"match": {"prefix": "", "runtime_fraction": {"default_value":
                  {"numerator": 25, "denominator": "HUNDRED"}}}, "route": {"cluster": "some"}},
                {"match": {"prefix": ""}, "route": {"cluster": "rest"}}
                """);
    it.random.then(249_999);
    assertThat(it.route("S/M")).isEqualTo("some");
    it.random.then(250_000);
    assertThat(it.route("S/M")).isEqualTo("rest");
  }

  @Test
  void weightsDecideAmongClusters() {
    Routing it = new Routing().routes(weighted());
    StringBuilder drawn = new StringBuilder();
    for (int number = 0; number < 10; number++) {
      it.random.then(number);
      drawn.append(it.route("S/M"));
    }
    assertThat(drawn.toString()).isEqualTo("aaabbbbccc");
  }

  @Test
  void methodsThatNobodyHasHeardOfAreNotRememberedForEver() {
    Routing it =
        new Routing().routes("{\"match\": {\"prefix\": \"\"}, \"route\": {\"cluster\": \"c\"}}");
    for (int i = 0; i < 10_000; i++) {
      assertThat(it.route("S/M" + i)).isEqualTo("c");
    }
  }

  private static String weighted() {
    return """
        {"match": {"prefix": ""}, "route": {"weighted_clusters": {"clusters": [
          {"name": "a", "weight": 3}, {"name": "none", "weight": 0},
          {"name": "b", "weight": 4}, {"name": "c", "weight": 3}]}}}
        """;
  }
}
