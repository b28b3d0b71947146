// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Requests that wait have a limit in all. */
class InboundBudgetTest {
  private static final long MEGABYTE = 1 << 20;

  private final InboundBudget budget = new InboundBudget(10 * MEGABYTE);

  @Test
  void theStreamThatIsTooMuchHasToGoAndSmallOnesStay() {
    InboundBudget.Account one = budget.account();
    InboundBudget.Account two = budget.account();
    InboundBudget.Account small = budget.account();
    assertThat(one.add(8 * MEGABYTE)).isFalse();
    assertThat(two.add(8 * MEGABYTE)).isTrue();
    assertThat(small.add(1000)).isFalse();
    two.close();
    assertThat(two.add(MEGABYTE)).as("after its end nothing counts").isFalse();
    one.subtract(8 * MEGABYTE);
    small.close();
    assertThat(budget.used()).isZero();
  }
}
