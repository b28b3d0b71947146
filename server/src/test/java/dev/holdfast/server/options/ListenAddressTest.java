// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:18000", "localhost:0", "[::1]:65535", "0.0.0.0:1"})
  void itIsWrittenAsItIsRead(String text) {
    assertThat(ListenAddress.parse(text).toString()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", ":1", "a:", "a:x", "a:-1", "::1:1", "[::1]", "a b:1", "a:70000", "a:b:1"})
  void whatIsNoAddressIsRefused(String text) {
    assertThatThrownBy(() -> ListenAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: ");
  }

  @Test
  void loopbackIsKnown() throws Exception {
    assertThat(ListenAddress.parse("127.0.0.2:1").isLoopback()).isTrue();
    assertThat(ListenAddress.parse("[::1]:1").isLoopback()).isTrue();
    assertThat(ListenAddress.parse("0.0.0.0:1").isLoopback()).isFalse();
  }
}
