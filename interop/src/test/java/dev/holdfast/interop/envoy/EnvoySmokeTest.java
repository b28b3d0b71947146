// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.EnvoyResources;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real Envoy is configured over ADS and serves; what tests use around it works. */
class EnvoySmokeTest {
  @ParameterizedTest(name = "delta: {0}")
  @ValueSource(booleans = {false, true})
  void servesWhatItIsGiven(boolean delta) {
    try (FakeAdsServer ads = FakeAdsServer.start();
        Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        EnvoyProcess envoy = EnvoyProcess.start(bootstrap(ads, delta))) {
      Script script = Script.next(ads, delta);
      script.awaitSubscription(TypeUrls.CLUSTER);
      script
          .push(EnvoyResources.edsCluster("one"), EnvoyResources.staticCluster("two", two.port()))
          .acked();
      script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "one");
      script.push(Resources.endpoints("one", one.port())).acked();
      script.awaitSubscription(TypeUrls.LISTENER);
      script.push(EnvoyResources.listener("ingress", "routes")).acked();
      script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "routes");
      script
          .push(
              EnvoyResources.routes(
                  "routes",
                  EnvoyResources.host("one.example", "one"),
                  EnvoyResources.host("two.example", "two")))
          .acked();

      Http http = envoy.http("ingress");
      Http.Response response =
          http.get("/hello?q=1").host("one.example").header("X-Mine", "m").send();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.backend()).isEqualTo("one");
      assertThat(response.echo().path()).isEqualTo("/hello?q=1");
      assertThat(response.echo().header("x-mine")).isEqualTo("m");
      assertThat(http.post("/", "text").host("two.example").send().echo().body()).isEqualTo("text");
      assertThat(http.get("/").host("three.example").send().status()).isEqualTo(404);
      assertThat(one.count()).isEqualTo(1);

      one.answer(Answer.OK.status(418).after(Duration.ofMillis(20)).body("later"));
      assertThat(http.get("/").host("one.example").send().body()).isEqualTo("later");
      assertThat(envoy.admin().endpoints("one")).containsExactly("127.0.0.1:" + one.port());
      assertThat(envoy.admin().stat("cluster_manager.cds.update_success")).isEqualTo(1);
      assertThat(envoy.admin().configDump("dynamic_route_configs")).hasSize(1);
    }
  }

  @ParameterizedTest(name = "delta: {0}")
  @ValueSource(booleans = {false, true})
  void showsTheCertificateThatItIsGiven(boolean delta) {
    TestCa ca = TestCa.create("test authority");
    try (FakeAdsServer ads = FakeAdsServer.start();
        Backend backend = Backend.startTls("inside", ca);
        EnvoyProcess envoy = EnvoyProcess.start(bootstrap(ads, delta))) {
      Script script = Script.next(ads, delta);
      script.awaitSubscription(TypeUrls.CLUSTER);
      script.push(EnvoyResources.staticCluster("inside", backend.port())).acked();
      script.awaitSubscription(TypeUrls.LISTENER);
      script.push(EnvoyResources.tlsListener("secure", "routes", "cert")).acked();
      script.awaitSubscription(TypeUrls.SECRET, "cert");
      script.push(EnvoyResources.secret("cert", ca.issue("shop"))).acked();
      script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "routes");
      script
          .push(EnvoyResources.routes("routes", EnvoyResources.host("shop.example", "inside")))
          .acked();

      Tls tls = Tls.sni("shop.example", ca);
      Http http = envoy.http("secure").with(tls);
      assertThat(tls.peer(http.port())).isEqualTo("CN=shop");
      assertThat(http.get("/").host("other.example").send().status()).isEqualTo(404);
      assertThat(Http.on(backend.port()).with(tls.as(ca.issue("me"))).get("/").send().echo())
          .satisfies(
              echo -> {
                assertThat(echo.sni()).isEqualTo("shop.example");
                assertThat(echo.client()).isEqualTo("CN=me");
              });
    }
  }

  static EnvoyBootstrap bootstrap(FakeAdsServer ads, boolean delta) {
    return delta ? EnvoyBootstrap.delta(ads.port()) : EnvoyBootstrap.sotw(ads.port());
  }
}
