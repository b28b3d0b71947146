// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.benchmarks.client.Contender;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OptionsTest {
  @Test
  void withoutArgumentsItIsTheFullComparison() throws Exception {
    Options options = Options.parse();

    assertThat(options.clusters()).isEqualTo(10_000);
    assertThat(options.contenders()).containsExactly(Contender.values());
    assertThat(options.format()).isEqualTo(Options.Format.TEXT);
  }

  @Test
  void everythingCanBeSet() throws Exception {
    assertThat(
            Options.parse(
                "--clusters",
                "7",
                "--rounds",
                "3",
                "--warmups",
                "0",
                "--only",
                "holdfast",
                "-o",
                "json"))
        .isEqualTo(new Options(7, 3, 0, List.of(Contender.HOLDFAST), Options.Format.JSON));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--rounds 0       | --rounds: 0 (expected: a number from 1 to 100000)",
        "--rounds         | --rounds: no value (expected: one)",
        "--only envoy     | --only: envoy (expected: holdfast, grpc-xds, holdfast-delta)",
        "-o yaml          | -o: yaml (expected: text or json)",
        "--fast           | unknown option: --fast",
      })
  void whatIsWrongIsSaid(String arguments, String message) {
    assertThatThrownBy(() -> Options.parse(arguments.split(" ", -1)))
        .isInstanceOf(Options.UsageException.class)
        .hasMessage(message);
  }
}
