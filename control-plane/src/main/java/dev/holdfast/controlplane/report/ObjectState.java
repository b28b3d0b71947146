// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.Condition;
import java.util.Map;
import java.util.TreeMap;

/** How an object fares, in one word: each object is in exactly one of these states. */
public enum ObjectState {
  /** All proxies that it concerns run all of its newest generation. */
  PROGRAMMED("programmed"),
  /** Proxies have yet to answer. */
  PENDING("pending"),
  /** Its newest generation is not in force: rejected, invalid, in conflict, or waiting. */
  HELD("held"),
  /** Its newest generation is in force, but not all of it. */
  PARTIAL("partial"),
  /** It is not valid, and nothing of it is in force. */
  INVALID("invalid"),
  /** No proxy uses it. */
  IDLE("idle");

  private final String word;

  ObjectState(String word) {
    this.word = word;
  }

  /** The word in the admin API and in metrics. */
  public String word() {
    return word;
  }

  public static ObjectState of(ObjectReport object) {
    ProblemReport problem = ProblemReport.of(object);
    if (problem != null) {
      boolean isInvalid =
          problem.reason().equals("InvalidNew") || problem.reason().equals("Invalid");
      return switch (problem.serving()) {
        case PART -> PARTIAL;
        case NOTHING -> isInvalid ? INVALID : HELD;
        default -> HELD;
      };
    }
    for (Condition condition : object.conditions()) {
      if (condition.type().equals("Programmed")) {
        return switch (condition.reason()) {
          case "Programmed" -> PROGRAMMED;
          case "NoDataPlane", "NotReferenced" -> IDLE;
          default -> PENDING;
        };
      }
    }
    return PENDING;
  }

  /** The number of objects by the word of their state; each state is included. */
  public static Map<String, Integer> count(Iterable<ObjectReport> objects) {
    Map<String, Integer> counts = new TreeMap<>();
    for (ObjectState state : values()) {
      counts.put(state.word, 0);
    }
    objects.forEach(object -> counts.merge(of(object).word, 1, Integer::sum));
    return counts;
  }
}
