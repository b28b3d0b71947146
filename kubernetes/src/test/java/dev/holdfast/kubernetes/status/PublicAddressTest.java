// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.ObjectKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator writes as the address of the proxies. */
class PublicAddressTest {
  @Test
  void addressesAndNamesAreToldApart() {
    PublicAddress address = PublicAddress.parse("203.0.113.7, 2001:db8::7,lb.example.com");

    assertThat(address.ingress(key -> null))
        .isEqualTo(
            List.of(
                Map.of("ip", "203.0.113.7"),
                Map.of("ip", "2001:db8::7"),
                Map.of("hostname", "lb.example.com")));
  }

  @Test
  void aServiceIsNamedWithItsNamespace() {
    assertThat(PublicAddress.parse("service:envoy/edge").service())
        .isEqualTo(new ObjectKey("Service", "envoy", "edge"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "service:edge", "service:a/b/c", "service:/b", "two words", "a,,b"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> PublicAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: ");
  }
}
