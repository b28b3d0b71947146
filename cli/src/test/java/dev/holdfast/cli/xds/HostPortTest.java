// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:1", "10.0.0.1:65535", "[::1]:80", "[fe80::1%eth0]:80", "a-b.c:9"})
  void hostsAndPortsAreUnderstood(String text) {
    assertThat(HostPort.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        ":80",
        "localhost:",
        "a:b",
        "::1:80",
        "a b:1",
        "http://a:80",
        "a:80/x"
      })
  void otherThingsAreNot(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostPort.parse(text))
        .withMessage("'" + text + "' (expected: HOST:PORT)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:0", "a:65536", "a:99999"})
  void portsThatDoNotExistAreNot(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostPort.parse(text))
        .withMessage("'" + text + "' (expected: a port from 1 to 65535)");
  }
}
