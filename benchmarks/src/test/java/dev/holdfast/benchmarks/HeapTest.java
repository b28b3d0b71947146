// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HeapTest {
  private final List<byte[]> kept = new ArrayList<>();

  @Test
  void whatIsReachableIsCountedAndGarbageIsNot() {
    long before = Heap.reachableBytes();
    kept.add(new byte[20_000_000]);
    long with = Heap.reachableBytes();
    kept.clear();
    long after = Heap.reachableBytes();

    assertThat(with - before).isBetween(19_000_000L, 21_000_000L);
    assertThat(after - before).isLessThan(1_000_000);
  }
}
