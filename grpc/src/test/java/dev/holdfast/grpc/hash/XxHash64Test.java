// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.hash;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XxHash64Test {

  @ParameterizedTest
  @CsvSource({
    "'', ef46db3751d8e999",
    "a, d24ec4f1a98c6e5b",
    "abc, 44bc2cf5ad770999",
    "'Nobody inspects the spammish repetition', fbcea83c8a378bf1",
  })
  void agreesWithThePublishedValues(String text, String hash) {
    assertThat(Long.toHexString(XxHash64.hash(text))).isEqualTo(hash);
    assertThat(XxHash64.hash(text.getBytes(US_ASCII))).isEqualTo(XxHash64.hash(text));
  }

  @Test
  void agreesWithAnotherImplementationForEveryLengthOfTheTail() {
    String text = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_0123456789";
    long digest = 0;
    for (int length = 0; length <= text.length(); length++) {
      digest = digest * 31 + XxHash64.hash(text.substring(0, length));
    }
    // What grpc-java's gives for the same.
    assertThat(Long.toHexString(digest)).isEqualTo("1ad8395e976d13ef");
  }
}
