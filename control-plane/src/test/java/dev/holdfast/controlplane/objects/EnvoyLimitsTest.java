// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Values beyond Envoy's limits are reported to their author: Envoy rejects them while it decodes a
 * response, and everything in that response with them.
 */
class EnvoyLimitsTest {
  private static String set(String value) {
    return YamlObjects.route("requestHeadersPolicy: {set: [{name: a, value: '" + value + "'}]}");
  }

  @Test
  void headerValueHasAtMost16384Bytes() {
    String most = "\u00e4".repeat(8192);

    YamlObjects.valid(HttpProxy.class, set(most));
    assertThat(YamlObjects.problems(set(most + "x")))
        .containsExactly(
            "8:51: spec.routes[0].requestHeadersPolicy.set[0].value: 16385 bytes with its"
                + " variables (expected: at most 16384)");
  }

  @Test
  void variableCountsWithItsMaximumLength() {
    YamlObjects.valid(HttpProxy.class, set("%CONTOUR_SERVICE_NAME%".repeat(59)));
    assertThat(YamlObjects.problems(set("%CONTOUR_SERVICE_NAME%".repeat(60)))).hasSize(1);
  }

  @Test
  void policySetsAtMost1000Headers() {
    YamlObjects.valid(HttpProxy.class, setting(1000));
    assertThat(YamlObjects.problems(setting(1001)))
        .containsExactly(
            "8:34: spec.routes[0].responseHeadersPolicy.set: 1001 headers (expected: at most"
                + " 1000)");
  }

  private static String setting(int headers) {
    return YamlObjects.route(
        "responseHeadersPolicy: {set: ["
            + IntStream.range(0, headers)
                .mapToObj(i -> "{name: a" + i + ", value: b}")
                .collect(Collectors.joining(","))
            + "]}");
  }

  @Test
  void headerNameHasAtMost256Characters() {
    String yaml = "conditions: [{header: {name: %s, present: true}}]";

    YamlObjects.valid(HttpProxy.class, YamlObjects.route(yaml.formatted("a".repeat(256))));
    assertThat(YamlObjects.problems(YamlObjects.route(yaml.formatted("a".repeat(257))))).hasSize(1);
  }

  @Test
  void queryParameterNameHasAtMost1024Bytes() {
    String yaml = "conditions: [{queryParameter: {name: %s, present: true}}]";

    YamlObjects.valid(HttpProxy.class, YamlObjects.route(yaml.formatted("a".repeat(1024))));
    assertThat(YamlObjects.problems(YamlObjects.route(yaml.formatted("\u00e4".repeat(513)))))
        .hasSize(1);
  }
}
