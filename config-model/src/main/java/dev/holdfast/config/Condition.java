// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;

/**
 * One thing that is said of an object, in the shape that Kubernetes gives such statements.
 *
 * @param type what is asked, such as {@code Valid}
 * @param status the answer
 * @param reason why, in one word for machines
 * @param message why, for people
 * @param observedGeneration the generation of the object that this was said of
 * @param lastTransition when the status last became what it is
 * @param details what the message sums up; empty if it says everything
 */
public record Condition(
    String type,
    Status status,
    String reason,
    String message,
    long observedGeneration,
    Instant lastTransition,
    List<ConditionDetail> details) {

  /** The answers; a text of one is as Kubernetes spells it. */
  public enum Status {
    TRUE("True"),
    FALSE("False"),
    UNKNOWN("Unknown");

    private final String text;

    Status(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  public Condition {
    requireNonNull(type, "type");
    requireNonNull(status, "status");
    requireNonNull(reason, "reason");
    requireNonNull(message, "message");
    requireNonNull(lastTransition, "lastTransition");
    type = SharedTexts.of(type);
    reason = SharedTexts.of(reason);
    message = SharedTexts.of(message);
    details = List.copyOf(details);
  }

  /** A condition whose message says everything. */
  public Condition(
      String type,
      Status status,
      String reason,
      String message,
      long observedGeneration,
      Instant lastTransition) {
    this(type, status, reason, message, observedGeneration, lastTransition, List.of());
  }

  /** The same with what the message sums up. */
  public Condition with(List<ConditionDetail> newDetails) {
    return new Condition(
        type, status, reason, message, observedGeneration, lastTransition, newDetails);
  }
}
