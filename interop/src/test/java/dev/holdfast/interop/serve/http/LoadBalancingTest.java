// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Http;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which endpoint of a service gets a request. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class LoadBalancingTest {
  private static final String COOKIE = "X-Contour-Session-Affinity";

  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
    stage.service("both", stage.one.port(), stage.two.port());
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  private static Site with(String strategy) {
    return stage.routes(
        """
        - services: [{name: both, port: 80}]
          loadBalancerPolicy: {strategy: %s}
        """
            .formatted(strategy));
  }

  private static JsonObject cluster(Site site) {
    return Dump.cluster(stage.admin(), "default/both/80/" + site.host());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "loadBalancerPolicy: {}", "loadBalancerPolicy: {strategy: RoundRobin}"})
  void byTurnsUnlessAnotherStrategyIsNamed(String policy) {
    Site site =
        stage.routes(
            """
            - services: [{name: both, port: 80}]
              %s
            """
                .formatted(policy));

    assertThat(site.ask(20, "/")).isEqualTo(Map.of("one", 10, "two", 10));
  }

  @Test
  void whoHasTheFewestRequests() {
    Site site = with("WeightedLeastRequest");

    assertThat(cluster(site).get("lb_policy").getAsString()).isEqualTo("LEAST_REQUEST");
    assertThat(site.ask(60, "/")).containsOnlyKeys("one", "two");
  }

  @Test
  void byChance() {
    Site site = with("Random");

    assertThat(cluster(site).getAsJsonObject("load_balancing_policy").toString())
        .contains("envoy.load_balancing_policies.random");
    // All of 60 at one endpoint: once in 2^59 runs.
    assertThat(site.ask(60, "/")).containsOnlyKeys("one", "two");
  }

  private static Set<String> who(Site site, String path, String header, String value) {
    Set<String> who = new TreeSet<>();
    for (int i = 0; i < 20; i++) {
      who.add(site.get(path).header(header, value).send().backend());
    }
    return who;
  }

  @Test
  void byPartsOfTheRequest() {
    Site site =
        stage.routes(
            """
            - services: [{name: both, port: 80}]
              loadBalancerPolicy:
                strategy: RequestHash
                requestHashPolicies:
                - {headerHashOptions: {headerName: X-User}, terminal: true}
                - {queryParameterHashOptions: {parameterName: user}}
            - conditions: [{prefix: /address}]
              services: [{name: both, port: 80}]
              loadBalancerPolicy: {strategy: RequestHash, requestHashPolicies: [{hashSourceIP: true}]}
            """);

    Set<String> byHeader = new TreeSet<>();
    Set<String> byQuery = new TreeSet<>();
    for (int user = 0; user < 30; user++) {
      Set<String> header = who(site, "/?user=" + user, "x-user", "ann");
      assertThat(header).as("the header counts, and the query does not").hasSize(1);
      byHeader.addAll(who(site, "/", "x-user", "user" + user));
      Set<String> query = who(site, "/?user=" + user, "x-other", "a");
      assertThat(query).hasSize(1);
      byQuery.addAll(query);
    }
    assertThat(byHeader).containsExactly("one", "two");
    assertThat(byQuery).containsExactly("one", "two");
    assertThat(site.ask(30, "/address")).hasSize(1);
  }

  @Test
  void byCookieAClientStaysWhereItIs() {
    Site site = with("Cookie");

    Http.Response first = site.get("/").send();
    String cookie = first.header("set-cookie");
    assertThat(cookie).startsWith(COOKIE + "=").contains("Path=/").doesNotContain("Max-Age");
    String value = cookie.split(";", 2)[0];
    for (int i = 0; i < 20; i++) {
      Http.Response next = site.get("/").header("Cookie", value).send();
      assertThat(next.backend()).isEqualTo(first.backend());
      assertThat(next.headers("set-cookie")).isEmpty();
    }
    assertThat(site.ask(60, "/")).containsOnlyKeys("one", "two");
    assertThat(cluster(site).get("lb_policy").getAsString()).isEqualTo("RING_HASH");
  }
}
