// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.Problem;
import dev.holdfast.config.Condition;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.objects.read.OnReject;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds the conditions {@code Valid} and {@code Programmed} of an object, in the terms of
 * Kubernetes.
 */
final class Conditions {
  static final String VALID = "Valid";
  static final String PROGRAMMED = "Programmed";
  static final String NOT_REFERENCED = "NotReferenced";
  private static final String OTHER_CLASS = "belongs to another ingress class";
  private static final int MAX_LENGTH = 4096;

  /** An object that was rejected together with others may well not be the cause. */
  private static final String SEARCHING =
      "rejected together with other changes; the search for the offending object is under way";

  private Conditions() {}

  /** Whether a status says that the object is for another controller. */
  static boolean isOfAnotherClass(ObjectStatus status) {
    Condition programmed = status.condition(PROGRAMMED);
    return programmed != null
        && programmed.reason().equals(NOT_REFERENCED)
        && programmed.message().equals(OTHER_CLASS);
  }

  /**
   * @param ofScouts warnings of scouts
   */
  static Condition valid(TranslatedObject object, List<String> ofScouts, Instant now) {
    List<LocatedProblem> problems = object.problems();
    boolean isValid = problems.isEmpty();
    return condition(
            VALID,
            isValid ? Condition.Status.TRUE : Condition.Status.FALSE,
            isValid ? "Valid" : "ErrorPresent",
            isValid ? "Valid " + object.key().kind() : all(problems),
            object.generation(),
            now)
        .with(ProblemDetails.of(problems, object.warnings(), ofScouts));
  }

  /** All problems, as far as they fit into a condition. */
  private static String all(List<LocatedProblem> problems) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < problems.size(); i++) {
      String next = (i == 0 ? "" : "; ") + problems.get(i);
      if (i > 0 && text.length() + next.length() > MAX_LENGTH) {
        return text + " (and " + (problems.size() - i) + " more)";
      }
      text.append(next);
    }
    return text.toString();
  }

  /**
   * @param diverged what proxies make of it that are unlike their class
   * @param served the generation that proxies were last known to run; 0 if none
   */
  static Condition programmed(
      DesiredState desired,
      PollResult poll,
      ProxyCounts diverged,
      boolean anyProxies,
      long served,
      Instant now) {
    TranslatedObject object = desired.object();
    long generation = object.generation();
    if (desired.hold() != null && desired.hold().generation() == generation) {
      return held(desired.hold(), now);
    }
    SortedMap<String, Hold> byClass = desired.heldByClass();
    if (!byClass.isEmpty()) {
      return held(byClass, served, now);
    }
    if (!object.problems().isEmpty() && object.footprint().isEmpty()) {
      return no(
          HoldText.INVALID_NEW,
          "generation " + generation + " is not valid, and nothing of it is served",
          generation,
          now);
    }
    if (object.foreign()) {
      return no(NOT_REFERENCED, OTHER_CLASS, generation, now);
    }
    if (object.orphaned()) {
      return no(NOT_REFERENCED, "no served root HTTPProxy includes this object", generation, now);
    }
    boolean isResourceless = object.footprint().isEmpty();
    if (isResourceless && (desired.use() == ResourcelessUse.NONE || served == 0)) {
      return no(NOT_REFERENCED, "no served object refers to this object", generation, now);
    }
    if (!anyProxies) {
      return unknown("NoDataPlane", "no proxy is connected", generation, now);
    }
    if (isResourceless) {
      return resourceless(desired, now);
    }
    if (poll.all().total() == 0) {
      return unknown(
          "NoDataPlane", "no connected proxy subscribes to its resources", generation, now);
    }
    PollResult.Refusal refusal = poll.refusal();
    if (refusal != null && !desired.committed()) {
      return unknown("Pending", SEARCHING, generation, now);
    }
    if (refusal != null) {
      return no(
          served == 0 ? HoldText.REJECTED_NEW : HoldText.REJECTED,
          "generation "
              + generation
              + " rejected by "
              + agent(refusal.node())
              + " in "
              + refusal.resource().type().word()
              + " "
              + refusal.resource().name()
              + ": "
              + ErrorText.sanitise(refusal.message())
              + serving(served, generation),
          generation,
          now);
    }
    PollResult.Inability inability = poll.inability();
    if (inability != null) {
      return unknown("Pending", unable(inability), generation, now);
    }
    if (poll.all().pending() > 0) {
      return unknown("Pending", "not all proxies have answered yet", generation, now);
    }
    if (!object.problems().isEmpty()) {
      return partly(object, now);
    }
    return condition(
        PROGRAMMED,
        Condition.Status.TRUE,
        "Programmed",
        "all proxies that use this object run generation "
            + generation
            + without(diverged)
            + withoutPolicy(desired.missingPolicy()),
        generation,
        now);
  }

  private static String without(ProxyCounts diverged) {
    int others = diverged.total() - diverged.programmed();
    return others == 0
        ? ""
        : ", except " + others + (others == 1 ? " that has diverged" : " that have diverged");
  }

  /** The condition of an object that is in force, but not as a part of a resource. */
  private static Condition resourceless(DesiredState desired, Instant now) {
    long generation = desired.object().generation();
    if (!desired.committed()) {
      return unknown("Pending", "not in force yet", generation, now);
    }
    return condition(
        PROGRAMMED,
        Condition.Status.TRUE,
        "Programmed",
        desired.use() == ResourcelessUse.PERMISSION
            ? "generation " + generation + " is in force; proxies use a Secret that it delegates"
            : "proxies keep generation "
                + generation
                + ", which they got before the control plane restarted",
        generation,
        now);
  }

  private static String withoutPolicy(@Nullable Hold policy) {
    return policy == null
        ? ""
        : ", without "
            + policy.key()
            + ", which is not in force ("
            + HoldText.reason(policy)
            + ": "
            + HoldText.sentence(policy)
            + ")";
  }

  /** All proxies run what can be served of an object; the rest of it is missing. */
  private static Condition partly(TranslatedObject object, Instant now) {
    List<LocatedProblem> problems = object.problems();
    boolean conflict =
        problems.stream().allMatch(each -> each.problem().kind() == Problem.Kind.CONFLICT);
    String more = problems.size() == 1 ? "" : " (and " + (problems.size() - 1) + " more)";
    return no(
        conflict ? HoldText.CONFLICT : HoldText.INVALID,
        "generation "
            + object.generation()
            + " is served, but not all of it: "
            + problems.get(0)
            + more,
        object.generation(),
        now);
  }

  private static Condition held(Hold hold, Instant now) {
    return no(
        HoldText.reason(hold),
        HoldText.sentence(hold)
            + (hold.closed()
                ? "; its hosts answer 503, as the annotation " + OnReject.ANNOTATION + " requests"
                : serving(hold.served(), hold.generation())),
        hold.generation(),
        now);
  }

  /**
   * Leaves out everything that changes from one attempt to the next: otherwise each attempt would
   * be reported as a change of the condition.
   */
  private static String unable(PollResult.Inability inability) {
    return inability.node().id()
        + " ("
        + agent(inability.node())
        + ") cannot apply "
        + inability.resource().type().word()
        + " "
        + inability.resource().name()
        + ": "
        + ErrorText.sanitise(inability.message())
        + "; the control plane retries at least once a minute";
  }

  /**
   * The condition of an object that is held for some proxy classes only; the other classes are
   * served the generation that they were last known to run.
   */
  private static Condition held(SortedMap<String, Hold> byClass, long served, Instant now) {
    String proxyClass = byClass.firstKey();
    Hold hold = requireNonNull(byClass.get(proxyClass));
    String reason = HoldText.reason(hold);
    String more = byClass.size() == 1 ? "" : " (and " + (byClass.size() - 1) + " more)";
    return no(
        reason.equals(HoldText.REJECTED_NEW) && served > 0 ? HoldText.REJECTED : reason,
        HoldText.sentence(hold)
            + "; class "
            + proxyClass
            + more
            + (hold.served() == 0
                ? " is not served this object"
                : " is served generation " + hold.served())
            + (served == 0 ? "" : ", all other classes generation " + served),
        hold.generation(),
        now);
  }

  private static String agent(ProxyNode node) {
    return node.version().isEmpty() ? node.agent() : node.agent() + " " + node.version();
  }

  private static String serving(long served, long generation) {
    return served == 0 || served == generation ? "" : "; serving generation " + served;
  }

  private static Condition no(String reason, String message, long generation, Instant now) {
    return condition(PROGRAMMED, Condition.Status.FALSE, reason, message, generation, now);
  }

  private static Condition unknown(String reason, String message, long generation, Instant now) {
    return condition(PROGRAMMED, Condition.Status.UNKNOWN, reason, message, generation, now);
  }

  private static Condition condition(
      String type,
      Condition.Status status,
      String reason,
      String message,
      long generation,
      Instant now) {
    return new Condition(type, status, reason, message, generation, now);
  }
}
