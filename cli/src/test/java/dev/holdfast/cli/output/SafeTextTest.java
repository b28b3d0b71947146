// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SafeTextTest {
  @Test
  void harmlessTextIsLeftAlone() {
    assertThat(SafeText.text("cluster/größe … 日本 😀")).isEqualTo("cluster/größe … 日本 😀");
  }

  @Test
  void lineBreaksAndControlSequencesAreWrittenOut() {
    assertThat(SafeText.text("a\nb\r\tc\u001b[31mred\u0000"))
        .isEqualTo("a\\nb\\r\\tc\\u001b[31mred\\u0000");
  }

  @Test
  void charactersThatChangeTheDirectionOrBreakTheLineAreWrittenOut() {
    assertThat(SafeText.text("a\u202eb\u2028c\u0085d")).isEqualTo("a\\u202eb\\u2028c\\u0085d");
    assertThat(SafeText.text(new String(Character.toChars(0xE0001)))).isEqualTo("\\u{e0001}");
  }

  @Test
  void halfACharacterIsWrittenOut() {
    assertThat(SafeText.text("\ud800")).isEqualTo("\\ud800");
  }
}
