// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.config.files.TreeLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeLimitsOptionTest {
  @Test
  void whatIsNotGivenKeepsItsDefault() {
    assertThat(TreeLimitsOption.parse("files=100000,depth=32,bytes=256Mi"))
        .isEqualTo(TreeLimits.defaults());
    assertThat(TreeLimitsOption.parse("files=5"))
        .isEqualTo(new TreeLimits(5, 32, TreeLimits.defaults().bytes()));
    assertThat(TreeLimitsOption.parse("bytes=2Ki, depth=3"))
        .isEqualTo(new TreeLimits(100_000, 3, 2048));
    assertThat(TreeLimitsOption.parse("bytes=999999999Gi").bytes()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "off",
        "5",
        "files=0",
        "files=-1",
        "files=5Mi",
        "size=5",
        "depth=1,",
        "bytes=1M"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> TreeLimitsOption.parse(text))
        .hasMessage(
            "'"
                + text
                + "' (expected: one or more limits such as files=100000,depth=32,bytes=256Mi)");
  }
}
