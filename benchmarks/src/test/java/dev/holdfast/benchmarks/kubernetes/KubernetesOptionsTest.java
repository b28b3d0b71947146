// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KubernetesOptionsTest {
  @Test
  void everySizeIsMeasuredWithoutOptions() throws Exception {
    KubernetesOptions options = KubernetesOptions.parse();

    assertThat(options.hosts()).containsExactly(100, 1_000, 10_000);
    assertThat(options.json()).isFalse();
  }

  @Test
  void optionsAreTaken() throws Exception {
    KubernetesOptions options =
        KubernetesOptions.parse("--quick", "--hosts", "50,60", "--edits", "7", "-o", "json");

    assertThat(options.hosts()).containsExactly(50, 60);
    assertThat(options.edits()).isEqualTo(7);
    assertThat(options.json()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--hosts 200,100 | --hosts: 200,100 (expected: ascending numbers)",
        "--hosts 100000 | --hosts: 100000 (expected: a number from 2 to 20000)",
        "--edits many | --edits: many (expected: a number from 1 to 1000)",
        "--edits | --edits: no value (expected: one)",
        "-o xml | -o: xml (expected: text or json)",
        "--fast | unknown option: --fast",
      })
  void whatCannotBeIsSaid(String arguments, String message) {
    assertThatThrownBy(() -> KubernetesOptions.parse(arguments.split(" ", -1))).hasMessage(message);
  }

  @Test
  void aProgramThatIsMissingIsNamed() {
    assertThatThrownBy(() -> Programs.find(Map.of()))
        .hasMessageStartingWith("KUBE: not set (expected: a directory with kube-apiserver");
    assertThatThrownBy(() -> Programs.find(Map.of("KUBE", "/bin", "CONTOUR", "/no/contour")))
        .hasMessageStartingWith("CONTOUR: /no/contour (expected: the program contour");
  }
}
