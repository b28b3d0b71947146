// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What is too much for Envoy is told to its author: Envoy refuses it while it reads a response, and
 * so everything that came with it.
 */
class EnvoysLimitsTest {
  private static String set(String value) {
    return Given.route("requestHeadersPolicy: {set: [{name: a, value: '" + value + "'}]}");
  }

  @Test
  void theValueOfAHeaderHas16384Bytes() {
    String most = "\u00e4".repeat(8192);

    Given.valid(HttpProxy.class, set(most));
    assertThat(Given.problems(set(most + "x")))
        .containsExactly(
            "8:51: spec.routes[0].requestHeadersPolicy.set[0].value: 16385 bytes with its"
                + " variables (expected: at most 16384)");
  }

  @Test
  void aVariableCountsForTheMostThatItCanBe() {
    Given.valid(HttpProxy.class, set("%CONTOUR_SERVICE_NAME%".repeat(59)));
    assertThat(Given.problems(set("%CONTOUR_SERVICE_NAME%".repeat(60)))).hasSize(1);
  }

  @Test
  void aPolicySets1000Headers() {
    Given.valid(HttpProxy.class, setting(1000));
    assertThat(Given.problems(setting(1001)))
        .containsExactly(
            "8:34: spec.routes[0].responseHeadersPolicy.set: 1001 headers (expected: at most"
                + " 1000)");
  }

  private static String setting(int headers) {
    return Given.route(
        "responseHeadersPolicy: {set: ["
            + IntStream.range(0, headers)
                .mapToObj(i -> "{name: a" + i + ", value: b}")
                .collect(Collectors.joining(","))
            + "]}");
  }

  @Test
  void theNameOfAHeaderHas256Characters() {
    String yaml = "conditions: [{header: {name: %s, present: true}}]";

    Given.valid(HttpProxy.class, Given.route(yaml.formatted("a".repeat(256))));
    assertThat(Given.problems(Given.route(yaml.formatted("a".repeat(257))))).hasSize(1);
  }

  @Test
  void theNameOfAQueryParameterHas1024Bytes() {
    String yaml = "conditions: [{queryParameter: {name: %s, present: true}}]";

    Given.valid(HttpProxy.class, Given.route(yaml.formatted("a".repeat(1024))));
    assertThat(Given.problems(Given.route(yaml.formatted("\u00e4".repeat(513))))).hasSize(1);
  }
}
