// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServingOptionsTest {
  @Test
  void withoutArgumentsItIsTheFullComparison() throws Exception {
    ServingOptions options = ServingOptions.parse();

    assertThat(options.streams()).isEqualTo(1000);
    assertThat(options.clusters()).isEqualTo(1000);
    assertThat(options.hosts()).containsExactly(100, 1_000, 10_000);
    assertThat(options.json()).isFalse();
  }

  @Test
  void everythingCanBeSetOnTopOfTheQuickOne() throws Exception {
    ServingOptions options =
        ServingOptions.parse(
            "--streams",
            "7",
            "--clusters",
            "8",
            "--rounds",
            "3",
            "--warmups",
            "2",
            "-o",
            "json",
            "--quick");

    assertThat(options.streams()).isEqualTo(7);
    assertThat(options.clusters()).isEqualTo(8);
    assertThat(options.rounds()).isEqualTo(3);
    assertThat(options.warmups()).isEqualTo(2);
    assertThat(options.json()).isTrue();
    assertThat(options.hosts()).doesNotContain(10_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--streams 1 | --streams: 1 (expected: a number from 2 to 10000)",
        "--rounds    | --rounds: no value (expected: one)",
        "-o yaml     | -o: yaml (expected: text or json)",
        "--only peer | unknown option: --only",
      })
  void whatIsWrongIsSaid(String arguments, String message) {
    assertThatThrownBy(() -> ServingOptions.parse(arguments.split(" ", -1)))
        .isInstanceOf(ServingOptions.UsageException.class)
        .hasMessage(message);
  }
}
