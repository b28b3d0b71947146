// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.server.options.RateLimitOptions;
import dev.holdfast.server.options.TlsOptions;
import dev.holdfast.server.options.TrafficOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that a service applies for all proxies together. */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
@SuppressWarnings("NullAway.Init") // set by JUnit
class GlobalRateLimitTest {
  private static Backend one;
  private static Judge judge;
  private static Rig rig;

  @Parameter String protocol;

  @BeforeParameterizedClassInvocation
  static void start(String protocol) {
    one = Backend.start("one");
    // Whoever says so has had enough.
    judge = Judge.limiting(question -> !question.contains("enough"));
    rig =
        Rig.start(
            protocol,
            new TrafficOptions(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                new RateLimitOptions(
                    RateLimitOptions.service("default/limits"), "edge", null, true, null, null),
                TlsOptions.none(),
                null),
            "base.yaml",
            Docs.of(Yaml.service("one", one.port()), Yaml.service("judge", judge.port())));
    rig.put("ExtensionService/default/limits", extension("judge"));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    rig.close();
    one.close();
    judge.close();
  }

  private static String extension(String service) {
    return """
        apiVersion: projectcontour.io/v1alpha1
        kind: ExtensionService
        metadata: {name: limits}
        spec: {services: [{name: %s, port: 80}], protocol: h2c, timeoutPolicy: {response: 5s}}
        """
        .formatted(service);
  }

  private static String limited(String host, String value) {
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: %1$s}
        spec:
          virtualhost:
            fqdn: %1$s.example
            rateLimitPolicy:
              global:
                descriptors:
                - entries:
                  - genericKey: {key: host, value: %2$s}
                  - requestHeader: {headerName: x-had, descriptorKey: had}
          routes:
          - services: [{name: one, port: 80}]
          - conditions: [{prefix: /free}]
            services: [{name: one, port: 80}]
            rateLimitPolicy: {global: {disabled: true}}
          - conditions: [{prefix: /own}]
            services: [{name: one, port: 80}]
            rateLimitPolicy:
              global:
                descriptors:
                - entries:
                  - remoteAddress: {}
                  - requestHeaderValueMatch:
                      headers: [{name: x-own, exact: "1"}]
                      value: own-enough
        """
        .formatted(host, value);
  }

  private static String seen(String host, String path, String header, String value) {
    return Rig.seen(
        () -> rig.http().get(path).host(host + ".example").header(header, value).send());
  }

  @Test
  void theServiceDecidesWhatIsTooMuch() {
    rig.apply("HTTPProxy/default/shop", limited("shop", "shop"));

    Rig.awaitSeen("200 one", () -> seen("shop", "/", "x-had", "some"));
    assertThat(judge.asked()).last().asString().contains("edge", "host", "shop", "some");
    assertThat(seen("shop", "/", "x-had", "enough")).isEqualTo("429");
    assertThat(seen("shop", "/free", "x-had", "enough")).isEqualTo("200 one");
    assertThat(seen("shop", "/own", "x-had", "enough")).isEqualTo("200 one");
    assertThat(seen("shop", "/own", "x-own", "1")).isEqualTo("429");
    assertThat(judge.asked()).last().asString().contains("127.0.0.1");
  }

  @Test
  void anEditThatTakesTheServiceAwayIsHeld() {
    rig.apply("HTTPProxy/default/held", limited("held", "held"));
    Rig.awaitSeen("429", () -> seen("held", "/", "x-had", "enough"));

    rig.put("ExtensionService/default/limits", extension("nobody"));
    rig.plane().awaitSaid("ExtensionService/default/limits", "Valid", "ErrorPresent");
    assertThat(seen("held", "/", "x-had", "enough")).isEqualTo("429");
    assertThat(seen("held", "/", "x-had", "some")).isEqualTo("200 one");

    rig.apply("ExtensionService/default/limits", extension("judge"));
  }
}
