// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.translate.proto.Text;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import io.envoyproxy.envoy.config.route.v3.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes of an Ingress, with its annotations. */
class IngressRouteTest {
  private static Route route(String annotations) {
    Ingress ingress = YamlFixtures.ingress(annotations, "pathType: Prefix, path: /a");
    return IngressRoutes.of(ingress.rules().get(0).paths().get(0), "*", "c", ingress.settings());
  }

  @Test
  void unsetFieldsAreLeftToEnvoy() {
    assertThat(Text.of(route("")))
        .isEqualTo("match { path_separated_prefix: \"/a\" } route { cluster: \"c\" }");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "response-timeout: 3s => timeout { seconds: 3 }",
        "request-timeout: 3s => timeout { seconds: 3 }",
        "response-timeout: infinity => timeout { }",
        "retry-on: '5xx,reset' => retry_policy { retry_on: \"5xx,reset\" num_retries { value: 1 } }",
        "retry-on: 5xx, projectcontour.io/num-retries: '-1' => retry_policy { retry_on: \"5xx\" num_retries { } }",
        "retry-on: 5xx, projectcontour.io/num-retries: '4' => retry_policy { retry_on: \"5xx\" num_retries { value: 4 } }",
        "retry-on: 5xx, projectcontour.io/per-try-timeout: 1s => retry_policy { retry_on: \"5xx\" num_retries { value: 1 } per_try_timeout { seconds: 1 } }",
        "retry-on: 5xx, projectcontour.io/per-try-timeout: infinity => retry_policy { retry_on: \"5xx\" num_retries { value: 1 } per_try_timeout { } }",
        "websocket-routes: '/b,/a' => upgrade_configs { upgrade_type: \"websocket\" }",
      })
  void annotationsAreTranslated(String annotation, String text) {
    assertThat(Text.of(route("projectcontour.io/" + annotation).getRoute()))
        .isEqualTo("cluster: \"c\" " + text);
  }

  @Test
  void retriesNeedRetryOn() {
    assertThat(route("projectcontour.io/num-retries: '4'").getRoute().hasRetryPolicy()).isFalse();
  }

  @Test
  void websocketsAreEnabledForNamedPaths() {
    assertThat(route("projectcontour.io/websocket-routes: /b").getRoute().getUpgradeConfigsList())
        .isEmpty();
  }
}
