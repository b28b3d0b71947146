// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import com.google.rpc.Status;
import dev.holdfast.base.Problem;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a server reads when its response is refused. */
class NackTextTest {
  private static final int LIMIT = 64 * 1024;

  private final Nack nack = new Nack();

  private static Problem problem(String path, String message) {
    return new Problem(path, Problem.Kind.INVALID, message);
  }

  @Test
  @DisplayName("R40 all problems of all entries, by index, in the order of the response")
  void r40AllProblemsByIndex() {
    nack.resource(0, "foo", List.of(problem("a.b", "too big"), problem("", "odd")));
    nack.resource(3, null, List.of(problem("", "cannot be decoded")));
    nack.resource(10, "bar", List.of(problem("c[2]", "must be set")));
    nack.resourceError(1, "resource_name unset");

    assertThat(nack.text(LDS))
        .isEqualTo(
            "LDS response validation errors: [resource index 0: foo: a.b: too big; odd; "
                + "resource index 3: cannot be decoded; "
                + "resource index 10: bar: c[2]: must be set; "
                + "resource_errors index 1: resource_name unset]");
    assertThat(nack.errorCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("R39 a refusal has code 3, and there is none without a fault")
  void r39CodeIsInvalidArgument() {
    assertThat(nack.isEmpty()).isTrue();
    assertThat(nack.toStatus(CDS)).isNull();

    nack.resource(0, "foo", List.of(problem("", "odd")));

    Status status = Objects.requireNonNull(nack.toStatus(CDS));
    assertThat(status.getCode()).isEqualTo(Code.INVALID_ARGUMENT_VALUE);
    assertThat(status.getMessage()).isEqualTo(nack.text(CDS));
  }

  @Test
  @DisplayName("R40 a text without end is cut between entries and says how many are left out")
  void r40LongTextIsCut() {
    for (int i = 0; i < 10_000; i++) {
      nack.resource(i, "cluster" + i, List.of(problem("name", "is not allowed here")));
    }

    String text = nack.text(CDS);

    assertThat(text.length()).isLessThan(LIMIT + 100);
    assertThat(text).startsWith("CDS response validation errors: [resource index 0: cluster0: ");
    assertThat(text).matches("(?s).*allowed here; and \\d+ more]");
    int shown = text.split("resource index", -1).length - 1;
    assertThat(text).endsWith("; and " + (10_000 - shown) + " more]");
  }

  @Test
  @DisplayName("R40 one entry with problems without end is cut too, and the others are counted")
  void r40OneLongFaultIsCut() {
    nack.resource(0, "foo", List.of(problem("", "x".repeat(10 * LIMIT))));
    nack.resource(1, "bar", List.of(problem("", "odd")));

    String text = nack.text(CDS);

    assertThat(text.length()).isLessThan(LIMIT + 100);
    assertThat(text).startsWith("CDS response validation errors: [resource index 0: foo: xxx");
    assertThat(text).endsWith("xxx...; and 1 more]");
  }
}
