// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes holds in words, the same way in conditions, reports and events. */
public final class HoldText {
  static final String REJECTED = "Rejected";
  static final String REJECTED_NEW = "RejectedNew";
  static final String INVALID = "Invalid";
  static final String INVALID_NEW = "InvalidNew";
  static final String CONFLICT = "Conflict";
  private static final String DEPENDENCY_REJECTED = "DependencyRejected";
  private static final String ATTRIBUTION_PENDING = "AttributionPending";
  private static final String PROBE_FAILED = "ProbeFailed";
  private static final String PROXY_DIED = "ProxyDied";
  private static final String PROXY_HUNG = "ProxyHung";

  /** All reasons, in alphabetical order. */
  public static final List<String> REASONS =
      List.of(
          ATTRIBUTION_PENDING,
          CONFLICT,
          DEPENDENCY_REJECTED,
          INVALID,
          INVALID_NEW,
          PROBE_FAILED,
          PROXY_DIED,
          PROXY_HUNG,
          REJECTED,
          REJECTED_NEW);

  private static final int MOST_NAMED = 5;

  private HoldText() {}

  /**
   * A hold as it is told. If the generation in the baseline is not valid, and no part of it can be
   * served, then nothing is.
   */
  public static Hold told(Hold hold, Rollout rollout) {
    TranslatedObject served =
        rollout.hasBaseline() ? rollout.baseline().objects().get(hold.key()) : null;
    return served != null
            && !served.isValid()
            && served.footprint().isEmpty()
            && ResourcelessUse.of(hold.key(), rollout) == ResourcelessUse.NONE
        ? hold.withNothingServed()
        : hold;
  }

  /** The reason, as the condition {@code Programmed} names it. */
  public static String reason(Hold hold) {
    return switch (hold.reason()) {
      case REJECTED -> hold.served() == 0 ? REJECTED_NEW : REJECTED;
      case INVALID -> hold.served() == 0 && !hold.closed() ? INVALID_NEW : INVALID;
      case PROBE_FAILED -> PROBE_FAILED;
      case PROXY_DIED -> PROXY_DIED;
      case PROXY_HUNG -> PROXY_HUNG;
      case CONFLICT -> CONFLICT;
      case DEPENDENCY_REJECTED -> DEPENDENCY_REJECTED;
      case ATTRIBUTION_PENDING -> ATTRIBUTION_PENDING;
    };
  }

  /** The proxy's error message, what is wrong with the object, or what it waits for. */
  public static String message(Hold hold) {
    Evidence evidence = hold.evidence();
    return switch (hold.reason()) {
      case REJECTED, PROBE_FAILED, PROXY_DIED, PROXY_HUNG, CONFLICT, INVALID ->
          evidence == null ? String.join("; ", hold.problems()) : evidence.message();
      case DEPENDENCY_REJECTED ->
          isPolicy(hold.cause())
              ? "waits for " + hold.cause() + ", which is for this object and is not in force"
              : "refers to " + hold.cause() + ", which was rejected";
      case ATTRIBUTION_PENDING ->
          hold.isInternalError()
              ? String.join("; ", hold.problems())
              : evidence == null
                  ? "rejected together with other changes; the search for the offending object is under way"
                  : "rejected together with other changes; searching further would remove configuration that"
                      + " proxies run: "
                      + evidence.message();
    };
  }

  /** Some objects that a single proxy does not get, in words; empty if there are none. */
  public static String lacks(Collection<Hold> holds) {
    List<String> objects = new ArrayList<>();
    for (Hold hold : holds) {
      if (objects.size() < MOST_NAMED) {
        objects.add(
            hold.key()
                + " generation "
                + hold.generation()
                + (hold.served() == 0 ? "" : " (it has " + hold.served() + ")"));
      }
    }
    int more = holds.size() - objects.size();
    return String.join(", ", objects) + (more == 0 ? "" : " and " + more + " more");
  }

  private static boolean isPolicy(@Nullable ObjectKey key) {
    return key != null && key.kind().equals(ExtensionPolicy.KIND);
  }

  /** The message for a condition, which has no other field for the proxy and the resource. */
  static String sentence(Hold hold) {
    Evidence evidence = hold.evidence();
    if (hold.isFoundByValidation()) {
      String what =
          hold.reason() == Hold.Reason.INVALID
              ? " is not valid: "
              : " conflicts with "
                  + (hold.cause() == null ? "another object" : hold.cause())
                  + ": ";
      return "generation " + hold.generation() + what + first(hold.problems());
    }
    if (!hold.reason().isRefusal()) {
      return message(hold);
    }
    if (hold.reason().isLoss() && evidence != null) {
      return "generation "
          + hold.generation()
          + (hold.reason() == Hold.Reason.PROXY_DIED
              ? " made proxies of class "
              : " made proxies hang, of class ")
          + evidence.proxyClass()
          + (hold.reason() == Hold.Reason.PROXY_DIED ? " go away: " : ": ")
          + evidence.message();
    }
    if (hold.reason() == Hold.Reason.PROBE_FAILED && evidence != null) {
      return "generation " + hold.generation() + ": " + evidence.message();
    }
    String where =
        evidence == null
            ? ""
            : " by "
                + evidence.agent()
                + " in "
                + evidence.resource().type().word()
                + " "
                + evidence.resource().name()
                + ": "
                + evidence.message();
    String together = hold.reason() == Hold.Reason.CONFLICT ? " together with " + hold.cause() : "";
    return "generation " + hold.generation() + " rejected" + together + where + judges(evidence);
  }

  /** Who judged, if they were too few to be sure. */
  private static String judges(@Nullable Evidence evidence) {
    if (evidence == null || evidence.judges().isEmpty()) {
      return "";
    }
    return evidence.isDisputed()
        ? "; proxies of the class disagree: "
            + evidence.judges().get(0)
            + " rejects it, "
            + evidence.judges().get(1)
            + " accepts it"
        : "; judged by one proxy";
  }

  private static String first(List<String> problems) {
    return problems.get(0)
        + (problems.size() == 1 ? "" : " (and " + (problems.size() - 1) + " more)");
  }
}
