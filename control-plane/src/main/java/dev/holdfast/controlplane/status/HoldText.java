// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.hold.Hold;
import java.util.List;

/** A hold in words: the same ones wherever it is told of. */
public final class HoldText {
  static final String REJECTED = "Rejected";
  static final String REJECTED_NEW = "RejectedNew";
  private static final String CONFLICT = "Conflict";
  private static final String DEPENDENCY_REJECTED = "DependencyRejected";
  private static final String ATTRIBUTION_PENDING = "AttributionPending";

  /** All reasons that there are, by name. */
  public static final List<String> REASONS =
      List.of(ATTRIBUTION_PENDING, CONFLICT, DEPENDENCY_REJECTED, REJECTED, REJECTED_NEW);

  private HoldText() {}

  /** The reason, as conditions name it. */
  public static String reason(Hold hold) {
    return switch (hold.reason()) {
      case REJECTED -> hold.served() == 0 ? REJECTED_NEW : REJECTED;
      case CONFLICT -> CONFLICT;
      case DEPENDENCY_REJECTED -> DEPENDENCY_REJECTED;
      case ATTRIBUTION_PENDING -> ATTRIBUTION_PENDING;
    };
  }

  /** What a proxy said of the object, or what the object waits for. */
  public static String message(Hold hold) {
    Evidence certificate = hold.evidence();
    return switch (hold.reason()) {
      case REJECTED, CONFLICT -> certificate == null ? "" : certificate.message();
      case DEPENDENCY_REJECTED -> "refers to " + hold.cause() + ", which was rejected";
      case ATTRIBUTION_PENDING ->
          certificate == null
              ? "came with others, one of which was rejected; which one is being found out"
              : "came with others, one of which was rejected, and who cannot be told without taking"
                  + " away what proxies run: "
                  + certificate.message();
    };
  }

  /** The message as it stands in a condition, where nothing else says who refused what. */
  static String sentence(Hold hold) {
    Evidence certificate = hold.evidence();
    if (hold.reason() != Hold.Reason.REJECTED && hold.reason() != Hold.Reason.CONFLICT) {
      return message(hold);
    }
    String where =
        certificate == null
            ? ""
            : " by "
                + certificate.agent()
                + " in "
                + certificate.resource().type().word()
                + " "
                + certificate.resource().name()
                + ": "
                + certificate.message();
    String together = hold.reason() == Hold.Reason.CONFLICT ? " together with " + hold.cause() : "";
    return "generation " + hold.generation() + " rejected" + together + where;
  }
}
