// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.fixture.TestType;
import io.grpc.Status;

/** What every error that reaches a watcher must have. */
final class ErrorTexts {
  private ErrorTexts() {}

  /** The code, the resource, each of {@code parts} in this order, and the node, once. */
  static void assertError(
      Status status, Status.Code code, TestType type, String name, String... parts) {
    assertThat(status.getCode()).isEqualTo(code);
    assertThat(status.getDescription())
        .startsWith(type.shortName() + " resource " + name + ": ")
        .containsSubsequence(parts)
        .endsWith(" (node ID:node-1)")
        .containsOnlyOnce("node ID");
  }
}
