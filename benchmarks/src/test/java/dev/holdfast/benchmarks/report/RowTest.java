// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RowTest {
  @Test
  void quantilesAreInterpolated() {
    Samples samples = new Samples(4, 1, 3, 2);

    assertThat(samples.median()).isEqualTo(2.5);
    assertThat(samples.quantile(0)).isEqualTo(1);
    assertThat(samples.quantile(0.25)).isEqualTo(1.75);
    assertThat(samples.quantile(1)).isEqualTo(4);
  }

  @Test
  void theRatioIsThatOfTheMedians() {
    Row row = row(new Samples(1, 2, 90), new Samples(4, 5, 100), null);

    assertThat(row.ratio().orElseThrow()).isCloseTo(0.4, within(1e-9));
  }

  @Test
  void anAimIsMetUpToAndIncludingItself() {
    assertThat(row(new Samples(1), new Samples(2), 0.5).verdict()).isEqualTo(Row.Verdict.MET);
    assertThat(row(new Samples(1.1), new Samples(2), 0.5).verdict()).isEqualTo(Row.Verdict.MISSED);
  }

  @Test
  void withoutAimOrPeerThereIsNoVerdict() {
    assertThat(row(new Samples(1), new Samples(2), null).verdict()).isEqualTo(Row.Verdict.NONE);
    assertThat(row(new Samples(1), null, 0.5).verdict()).isEqualTo(Row.Verdict.NONE);
    assertThat(row(null, new Samples(1), 0.5).verdict()).isEqualTo(Row.Verdict.NONE);
  }

  @Test
  void aGreatestValueIsForOursAlone() {
    assertThat(most(new Samples(20), 20.0).verdict()).isEqualTo(Row.Verdict.MET);
    assertThat(most(new Samples(20.1), 20.0).verdict()).isEqualTo(Row.Verdict.MISSED);
    assertThat(most(null, 20.0).verdict()).isEqualTo(Row.Verdict.NONE);
  }

  private static Row most(@Nullable Samples ours, double most) {
    return new Row("id", "title", Unit.MILLISECONDS, ours, null, null, most);
  }

  private static Row row(@Nullable Samples ours, @Nullable Samples peer, @Nullable Double aim) {
    return new Row("id", "title", Unit.MILLISECONDS, ours, peer, aim);
  }
}
