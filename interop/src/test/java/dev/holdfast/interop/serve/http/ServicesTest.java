// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Echo;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which services get requests, how many of them, and what copies. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class ServicesTest {
  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  @Test
  void aServiceIsFoundByNameAndPort() {
    stage.plane.write(
        "two-ports.yaml",
        """
        apiVersion: v1
        kind: Service
        metadata: {name: two-ports}
        spec: {ports: [{name: a, port: 8001}, {name: b, port: 8002}]}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: two-ports, labels: {kubernetes.io/service-name: two-ports}}
        addressType: IPv4
        ports: [{name: a, port: %d}, {name: b, port: %d}]
        endpoints: [{addresses: [127.0.0.1]}]
        """
            .formatted(stage.one.port(), stage.two.port()));
    Site site =
        stage.routes(
            """
            - conditions: [{prefix: /a}]
              services: [{name: two-ports, port: 8001}]
            - conditions: [{prefix: /b}]
              services: [{name: two-ports, port: 8002}]
            """);

    assertThat(site.answers("/a")).isEqualTo("one");
    assertThat(site.answers("/b")).isEqualTo("two");
  }

  @Test
  void weightsDivideTheRequests() {
    Site site =
        stage.routes(
            """
            - services: [{name: one, port: 80, weight: 90}, {name: two, port: 80, weight: 10}]
            """);

    // Of 400, 360 are expected; 300 is ten standard deviations away.
    Map<String, Integer> counts = site.ask(400, "/");
    assertThat(counts).containsOnlyKeys("one", "two");
    assertThat(counts.get("one")).isBetween(300, 399);
  }

  @Test
  void withoutWeightsAllServicesGetTheSame() {
    Site site =
        stage.routes(
            """
            - services: [{name: one, port: 80}, {name: two, port: 80, weight: 0}]
            """);

    assertThat(site.ask(200, "/").get("one")).isBetween(50, 150);
  }

  @Test
  void nothingGoesToAServiceWhoseWeightIsZeroNextToOthers() {
    Site site =
        stage.routes(
            """
            - services: [{name: one, port: 80, weight: 0}, {name: two, port: 80, weight: 1}]
            """);

    assertThat(site.ask(50, "/")).isEqualTo(Map.of("two", 50));
  }

  @Test
  void aMirrorGetsACopyOfEveryRequestAndItsAnswerIsIgnored() {
    Backend mirror = stage.backend("mirror");
    mirror.answer(dev.holdfast.interop.envoy.Answer.OK.status(500));
    Site site =
        stage.routes(
            """
            - services: [{name: one, port: 80}, {name: mirror, port: 80, mirror: true}]
            """);

    assertThat(site.get("/copied?x=y").header("x-a", "1").send().backend()).isEqualTo("one");

    Echo copy = mirror.awaitRequest();
    assertThat(copy.path()).isEqualTo("/copied?x=y");
    assertThat(copy.header("x-a")).isEqualTo("1");
    assertThat(copy.host()).isEqualTo(site.host() + "-shadow");
  }

  @Test
  void theWeightOfAMirrorIsAShareOfTheRequests() {
    Backend some = stage.backend("some");
    Site site =
        stage.routes(
            """
            - services: [{name: one, port: 80}, {name: some, port: 80, mirror: true, weight: 50}]
            """);

    assertThat(site.ask(200, "/")).isEqualTo(Map.of("one", 200));

    stage.admin().await("the copies arrive", () -> some.count() >= 50);
    assertThat(some.count()).isLessThan(150);
  }

  @Test
  void aMissingServiceOrPortAnswers503AndTheOtherRoutesAreServed() {
    String name =
        stage.write(
            "missing.example.com",
            "",
            """
            routes:
            - conditions: [{prefix: /service}]
              services: [{name: nobody, port: 80}]
            - conditions: [{prefix: /port}]
              services: [{name: one, port: 81}]
            - services: [{name: one, port: 80}]
            """);

    String key = "HTTPProxy/default/" + name;
    assertThat(stage.plane.awaitSaid(key, "Valid", "ErrorPresent").message())
        .contains("spec.routes[0].services[0]: Service/default/nobody does not exist")
        .contains("spec.routes[1].services[0]: Service/default/one has no TCP port 81");
    stage.plane.awaitSaid(key, "Programmed", "Invalid");
    Site site = stage.site("missing.example.com");
    assertThat(site.answers("/service")).isEqualTo("503");
    assertThat(site.answers("/port")).isEqualTo("503");
    assertThat(site.answers("/")).isEqualTo("one");

    stage.service("nobody", stage.two.port());
    stage.admin().await("the service is found", () -> site.answers("/service").equals("two"));
  }

  @Test
  void aMissingServiceLeavesItsShareToTheOthers() {
    String name =
        stage.write(
            "partly.example.com",
            "",
            "routes: [{services: [{name: one, port: 80}, {name: absent, port: 80}]}]");
    stage.plane.awaitSaid("HTTPProxy/default/" + name, "Programmed", "Invalid");

    assertThat(stage.site("partly.example.com").ask(20, "/")).isEqualTo(Map.of("one", 20));
  }
}
