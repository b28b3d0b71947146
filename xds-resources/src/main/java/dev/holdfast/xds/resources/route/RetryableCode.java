// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import org.jspecify.annotations.Nullable;

/** The gRPC status codes that Envoy can retry on; named as {@code io.grpc.Status.Code} has them. */
public enum RetryableCode {
  CANCELLED("cancelled"),
  DEADLINE_EXCEEDED("deadline-exceeded"),
  INTERNAL("internal"),
  RESOURCE_EXHAUSTED("resource-exhausted"),
  UNAVAILABLE("unavailable");

  private final String condition;

  RetryableCode(String condition) {
    this.condition = condition;
  }

  /** The word for it in {@code retry_on}. */
  public String condition() {
    return condition;
  }

  /** The code for a word of {@code retry_on}, spelled exactly so; null for every other word. */
  static @Nullable RetryableCode ofCondition(String condition) {
    switch (condition) {
      case "cancelled":
        return CANCELLED;
      case "deadline-exceeded":
        return DEADLINE_EXCEEDED;
      case "internal":
        return INTERNAL;
      case "resource-exhausted":
        return RESOURCE_EXHAUSTED;
      case "unavailable":
        return UNAVAILABLE;
      default:
        return null;
    }
  }
}
