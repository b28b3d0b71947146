// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.httpproxy.Conditions.Path;
import dev.holdfast.controlplane.objects.httpproxy.Conditions.PathKind;
import dev.holdfast.controlplane.objects.httpproxy.DirectResponse;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.objects.httpproxy.Redirect;
import dev.holdfast.controlplane.objects.httpproxy.RetryPolicy;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.objects.read.Timeout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults and edge cases of the fields of a route. */
class RouteTest {
  private static Route route(String fields) {
    return YamlObjects.valid(HttpProxy.class, YamlObjects.route(fields)).routes().get(0);
  }

  private static Route only(String route) {
    return YamlObjects.valid(HttpProxy.class, YamlObjects.proxy("routes:\n- " + route))
        .routes()
        .get(0);
  }

  @Test
  void defaultsAreThoseOfContour() {
    Route route = route("");

    assertThat(route.conditions().path()).isEqualTo(new Path(PathKind.PREFIX, "/"));
    assertThat(route.loadBalancing()).isEqualTo(LoadBalancing.ROUND_ROBIN);
    assertThat(route.timeouts().response()).isEqualTo(Timeout.DEFAULT);
    assertThat(route.retries()).isNull();
    assertThat(route.permitInsecure()).isFalse();
    assertThat(route.action())
        .isEqualTo(
            new Route.Forward(
                List.of(new RouteService("s", 80, 0, null, false, null, null, null, List.of()))));
  }

  @ParameterizedTest
  @CsvSource({"-1,0", "0,1", "1,1", "7,7"})
  void retryCountIsReadAsInContour(int written, int meant) {
    assertThat(route("retryPolicy: {count: " + written + "}").retries())
        .isEqualTo(new RetryPolicy(List.of(RetryPolicy.On.ANY_5XX), meant, List.of(), null));
  }

  @ParameterizedTest
  @CsvSource({"1h30m,5400000", "1.5s,1500", "250ms,250", ".5s,500", "1m1s,61000", "2000us,2"})
  void durationsHaveGoSyntax(String text, long millis) {
    assertThat(route("timeoutPolicy: {response: '" + text + "'}").timeouts().response())
        .isEqualTo(new Timeout(Timeout.Kind.AFTER, Duration.ofMillis(millis)));
  }

  @ParameterizedTest
  @CsvSource({"infinity,NEVER", "infinite,NEVER", "0s,DEFAULT", "0,DEFAULT"})
  void infinityAndZeroTimeouts(String text, Timeout.Kind kind) {
    assertThat(route("timeoutPolicy: {idle: '" + text + "'}").timeouts().idle().kind())
        .isEqualTo(kind);
  }

  @Test
  void hugeValuesAreReported() {
    String huge = "1s".repeat(100_000);

    assertThat(YamlObjects.problems(YamlObjects.route("timeoutPolicy: {idle: " + huge + "}")))
        .hasSize(1);
    assertThat(
            YamlObjects.problems(
                YamlObjects.proxy("includes: [{name: " + "a.".repeat(100_000) + "}]")))
        .hasSize(1);
    assertThat(
            YamlObjects.problems(
                YamlObjects.route("conditions: [{regex: '/" + "(".repeat(100_000) + "'}]")))
        .hasSize(1);
  }

  @Test
  void infinitePerTryTimeoutIsLeftToTheRoute() {
    assertThat(route("retryPolicy: {perTryTimeout: infinity}").retries())
        .extracting(RetryPolicy::perTryTimeout)
        .isNull();
  }

  @Test
  void redirectDefaultsTo302() {
    assertThat(only("requestRedirectPolicy: {scheme: https}").action())
        .isEqualTo(new Redirect(Redirect.Scheme.HTTPS, null, null, 302, null, null));
  }

  @Test
  void redirectHasAPathOrAPrefix() {
    String yaml =
        YamlObjects.proxy(
            "routes:\n- requestRedirectPolicy: {path: /a, prefix: /b, statusCode: 304}");

    assertThat(YamlObjects.problems(yaml))
        .containsExactly(
            "7:47: spec.routes[0].requestRedirectPolicy.prefix: set together with path (expected:"
                + " only one of them)",
            "7:63: spec.routes[0].requestRedirectPolicy.statusCode: 304 (expected: 301, 302, 303,"
                + " 307 or 308)");
  }

  @Test
  void directResponseHasAtMost4096Bytes() {
    String body = "\u00e4".repeat(2048);
    String yaml = "routes:\n- directResponsePolicy: {statusCode: 200, body: '%s'}";

    assertThat(
            YamlObjects.valid(HttpProxy.class, YamlObjects.proxy(yaml.formatted(body)))
                .routes()
                .get(0)
                .action())
        .isEqualTo(new DirectResponse(200, body));
    assertThat(YamlObjects.problems(YamlObjects.proxy(yaml.formatted(body + "x"))))
        .containsExactly(
            "7:51: spec.routes[0].directResponsePolicy.body: 4097 bytes (expected: at most 4096)");
  }

  @Test
  void routeNeedsExactlyOneAction() {
    assertThat(YamlObjects.problems(YamlObjects.proxy("routes:\n- permitInsecure: true")))
        .containsExactly(
            "7:5: spec.routes[0]: no action (expected: exactly one of services,"
                + " requestRedirectPolicy, directResponsePolicy)");
  }

  @Test
  void rewriteNeedsAPrefixCondition() {
    String rewrite = "pathRewritePolicy: {replacePrefix: [{replacement: /b}]}\n";

    assertThat(route(rewrite).pathRewrite()).hasSize(1);
    assertThat(YamlObjects.problems(YamlObjects.route(rewrite + "conditions: [{exact: /a}]")))
        .containsExactly(
            "8:24: spec.routes[0].pathRewritePolicy: without a prefix condition (expected:"
                + " conditions with a prefix)");
  }
}
