// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that other implementations give with seed 0. */
class XxHash64Test {
  @ParameterizedTest
  @CsvSource({
    "'', ef46db3751d8e999",
    "a, d24ec4f1a98c6e5b",
    "abc, 44bc2cf5ad770999",
    "1234567, d3a46e9108289359",
    "12345678, d2d02f08cf7cfd4a",
    "Nobody inspects the spammish repetition, fbcea83c8a378bf1",
    "The quick brown fox jumps over the lazy dog, 0b242d361fda71bc"
  })
  void knownAnswers(String text, String hash) {
    assertThat(XxHash64.hash(text)).isEqualTo(Long.parseUnsignedLong(hash, 16));
    assertThat(XxHash64.hashUtf8(text)).isEqualTo(XxHash64.hash(text));
  }

  @ParameterizedTest
  @CsvSource({
    "31, 60dd0d01083b99f0",
    "32, e2df261fc2ec30eb",
    "63, b8467bf77f6c2c48",
    "100, 92f0de5a88a3c094"
  })
  void knownAnswersAtTheEdgesOfBlocks(int length, String hash) {
    assertThat(XxHash64.hash("x".repeat(length))).isEqualTo(Long.parseUnsignedLong(hash, 16));
  }

  @Test
  void whatIsNotAsciiCountsAsItGoesOverTheWire() {
    assertThat(XxHash64.hash("gr\u00fc\u00dfe")).isEqualTo(XxHash64.hash("gr??e"));
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
