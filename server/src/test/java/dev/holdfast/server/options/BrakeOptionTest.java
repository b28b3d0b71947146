// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.controlplane.brake.BrakeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrakeOptionTest {
  @Test
  void limitsAreAShareAndANumber() {
    assertThat(BrakeOption.parse("50%,10")).isEqualTo(BrakeOptions.defaults());
    assertThat(BrakeOption.parse("0%, 0")).isEqualTo(BrakeOptions.of(0, 0));
    assertThat(BrakeOption.parse("off")).isEqualTo(BrakeOptions.off());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "on", "50", "50%", "101%,1", "5%,-1", "5%,1000000000", "1.5%,2"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> BrakeOption.parse(text))
        .hasMessage(
            "'" + text + "' (expected: off, or a share and a number of hosts such as 50%,10)");
  }
}
