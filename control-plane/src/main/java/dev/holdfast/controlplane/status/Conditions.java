// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.Condition;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.controlplane.ads.ProxyNode;
import dev.holdfast.controlplane.objects.read.OnReject;
import dev.holdfast.controlplane.rollout.Hold;
import dev.holdfast.controlplane.translate.Translated;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/** What is said of an object, in the words of Kubernetes conditions. */
final class Conditions {
  static final String VALID = "Valid";
  static final String PROGRAMMED = "Programmed";

  /** Who is refused together with others may well be innocent. */
  private static final String SEARCHING =
      "rejected together with other changes; the search for the offending object is under way";

  private Conditions() {}

  static Condition valid(Translated object, Instant now) {
    List<LocatedProblem> problems = object.problems();
    if (problems.isEmpty()) {
      return condition(
          VALID,
          Condition.Status.TRUE,
          "Valid",
          "Valid " + object.key().kind(),
          object.generation(),
          now);
    }
    String more = problems.size() == 1 ? "" : " (and " + (problems.size() - 1) + " more)";
    return condition(
        VALID,
        Condition.Status.FALSE,
        "ErrorPresent",
        problems.get(0) + more,
        object.generation(),
        now);
  }

  /**
   * @param served the generation that proxies were last seen to run; 0 if none was
   */
  static Condition programmed(
      Wish wish, Judged judged, boolean anyProxies, long served, Instant now) {
    Translated object = wish.object();
    long generation = object.generation();
    if (wish.hold() != null && wish.hold().generation() == generation) {
      return held(wish.hold(), now);
    }
    SortedMap<String, Hold> byClass = wish.heldByClass();
    if (!byClass.isEmpty()) {
      return held(byClass, served, now);
    }
    if (!object.problems().isEmpty() && object.footprint().isEmpty()) {
      return no(
          "NotValid",
          "generation " + generation + " is not valid" + serving(served, generation),
          generation,
          now);
    }
    if (object.foreign()) {
      return no("NotReferenced", "belongs to another ingress class", generation, now);
    }
    if (object.orphaned()) {
      return no("NotReferenced", "no served root HTTPProxy includes this object", generation, now);
    }
    if (object.footprint().isEmpty()) {
      return no("NotReferenced", "no served object refers to this object", generation, now);
    }
    if (!anyProxies) {
      return unknown("NoDataPlane", "no proxy is connected", generation, now);
    }
    if (judged.all().total() == 0) {
      return unknown(
          "NoDataPlane", "no connected proxy subscribes to its resources", generation, now);
    }
    Judged.Refusal refusal = judged.refusal();
    if (refusal != null && !wish.committed()) {
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
    Judged.Inability inability = judged.inability();
    if (inability != null) {
      return unknown("Pending", unable(inability), generation, now);
    }
    if (judged.all().pending() > 0) {
      return unknown("Pending", "not all proxies have answered yet", generation, now);
    }
    return condition(
        PROGRAMMED,
        Condition.Status.TRUE,
        "Programmed",
        "all proxies that use this object run generation " + generation,
        generation,
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

  /** Says nothing that changes from one try to the next: it would be told as news each time. */
  private static String unable(Judged.Inability inability) {
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

  /** Held for some classes of proxies; the others are served what they were last seen to run. */
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
