// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import io.grpc.Status;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The texts that watchers see. */
class ErrorsTest {
  private final Errors errors = new Errors("node-1");

  private Status fromServer(int code, String message) {
    return errors.fromServer(
        CDS, "foo", com.google.rpc.Status.newBuilder().setCode(code).setMessage(message).build());
  }

  @Test
  void theServersWordsComeWithItsCode() {
    Status status = fromServer(7, "not yours");

    assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(status.getDescription()).isEqualTo("CDS resource foo: not yours (node ID:node-1)");
  }

  @Test
  void aCodeThatDoesNotExistIsSpelledOut() {
    assertThat(fromServer(99, "odd").getCode()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(fromServer(99, "odd").getDescription())
        .isEqualTo("CDS resource foo: code 99: odd (node ID:node-1)");
    assertThat(fromServer(-1, "").getDescription()).contains(": code -1: error without text");
    assertThat(fromServer(2, "odd").getDescription()).doesNotContain("code");
  }

  @Test
  void aTextWithoutEndIsCutButNotItsNode() {
    Problem problem = new Problem("a[0]", Problem.Kind.INVALID, "must not be");

    String text =
        String.valueOf(
            errors.invalid(CDS, "foo", Collections.nCopies(100_000, problem)).getDescription());

    assertThat(text).hasSizeLessThan(TextLimits.LONGEST + 100);
    assertThat(text).startsWith("CDS resource foo: invalid: a[0]: must not be");
    assertThat(text).endsWith("... (node ID:node-1)");
    assertThat(fromServer(5, "x".repeat(1 << 20)).getDescription())
        .hasSizeLessThan(TextLimits.LONGEST + 100);
  }

  @Test
  void aCutSplitsNoCharacter() {
    assertThat(TextLimits.bounded("ab\uD83D\uDE00cd", 3)).isEqualTo("ab...");
    assertThat(TextLimits.bounded("ab\uD83D\uDE00cd", 4)).isEqualTo("ab\uD83D\uDE00...");
    assertThat(List.of(TextLimits.bounded("abc", 3), TextLimits.bounded("", 3)))
        .containsExactly("abc", "");
  }
}
