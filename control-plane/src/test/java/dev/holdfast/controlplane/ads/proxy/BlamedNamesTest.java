// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which names of a response an error text blames. */
class BlamedNamesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "Error adding/updating cluster(s) a: bad, shop/b/80: worse|a;shop/b/80",
        "xa: bad|",
        "a:bad|",
        "'a': bad|",
        "\"a\": bad|",
        "x,a: bad|a",
        "x:a: bad|",
        "a: |a",
        "a:|",
        "with blank: bad|with blank",
        "no: such: name|",
      })
  void aNameCountsBeforeAColonAndABlank(String text, String wanted) {
    List<String> names = List.of("a", "b", "shop/b/80", "with", "with blank");
    NackMessage message = NackMessage.read(text, UnaryOperator.identity());
    List<String> expected = wanted == null ? List.of() : List.of(wanted.split(";", -1));
    assertThat(message.blamed(names)).containsExactlyElementsOf(expected);
  }
}
