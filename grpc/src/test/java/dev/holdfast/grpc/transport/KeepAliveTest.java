// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How silence is noticed. */
class KeepAliveTest {
  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "-1, 1", "1, -1"})
  void noTimeAtAllMakesNoSense(long after, long patience) {
    assertThatThrownBy(() -> new KeepAlive(Duration.ofSeconds(after), Duration.ofSeconds(patience)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(expected: both > 0)");
  }
}
