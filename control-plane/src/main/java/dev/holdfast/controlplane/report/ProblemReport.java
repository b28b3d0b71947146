// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that is not as its author wants it: an object, a file, or a proxy.
 *
 * @param reason of a condition for an object, mostly {@code Programmed}; otherwise one of the
 *     constants below
 * @param object null if it is not about one object
 * @param affected the objects that a problem of the source is about, or that stay as they were
 *     because of it
 * @param proxy the node id; empty if it is not about a single proxy
 * @param generation the newest one of the object; 0 without an object
 * @param servedGeneration the one that is in force; 0 if none is
 * @param serving how much of the object is in force
 * @param message what is wrong, in a sentence
 * @param details every single problem with its position, or what else is affected
 * @param since null if unknown
 * @param place where to fix it, such as {@code shop/web.yaml:3:1}; empty if unknown
 */
public record ProblemReport(
    Severity severity,
    String reason,
    @Nullable ObjectKey object,
    List<ObjectKey> affected,
    String proxy,
    long generation,
    long servedGeneration,
    Serving serving,
    String message,
    List<String> details,
    @Nullable Instant since,
    String place) {
  /** A file, or a part of one, that cannot be read as objects. */
  public static final String SOURCE_PROBLEM = "SourceProblem";

  /** The state cannot be written, and all edits wait. */
  public static final String STATE_NOT_WRITABLE = "StateNotWritable";

  /** Proxies get no secrets, because others could read them on the way. */
  public static final String SECRETS_WITHHELD = "SecretsWithheld";

  /** The files for TLS on a port are not used as they are now. */
  public static final String TLS_FILES = "TlsFiles";

  /** A proxy cannot run something because of its machine. */
  public static final String LOCAL_PROBLEM = "LocalProblem";

  /** A proxy rejects what other proxies of its class run. */
  public static final String DIVERGED = "Diverged";

  /** A proxy keeps what it was told to give up. */
  public static final String REMOVAL_REFUSED = "RemovalRefused";

  /** Several connected proxies use one node id. */
  public static final String NODE_ID_SHARED = "NodeIdShared";

  /** A proxy does not answer. */
  public static final String NO_ANSWER = "NoAnswer";

  /** Changes are not tried by a scout first, although there is one, or was. */
  public static final String SCOUT_NOT_ASKED = "ScoutNotAsked";

  /** Fewer proxies are connected than the operator expects. */
  public static final String PROXIES_MISSING = "ProxiesMissing";

  /** An object is served as written, but its author should look at it. */
  public static final String WARNING = "Warning";

  /** Whether something is wrong, or may be. */
  public enum Severity {
    PROBLEM,
    WARNING
  }

  /** How much of an object is in force. */
  public enum Serving {
    /** It is not about an object. */
    UNKNOWN,
    NOTHING,
    /** An older generation. */
    PREVIOUS,
    /** The newest generation, as far as it can be served. */
    PART,
    /** The newest generation, if not for every class of proxies. */
    ALL
  }

  public ProblemReport {
    affected = List.copyOf(affected);
    details = List.copyOf(details);
  }

  /** What is wrong with an object, as its conditions tell; null if nothing is. */
  public static @Nullable ProblemReport of(ObjectReport object) {
    Condition programmed = condition(object, "Programmed");
    Condition valid = condition(object, "Valid");
    boolean isInvalid = valid != null && valid.status() == Condition.Status.FALSE;
    boolean isUnserved =
        programmed != null
            && programmed.status() == Condition.Status.FALSE
            && !programmed.reason().equals("NotReferenced");
    Condition told = isUnserved ? programmed : valid;
    if (told == null || !(isUnserved || isInvalid)) {
      return null;
    }
    return new ProblemReport(
        Severity.PROBLEM,
        isUnserved ? told.reason() : "Invalid",
        object.key(),
        List.of(),
        "",
        object.generation(),
        object.servedGeneration(),
        serving(object),
        told.message(),
        object.problems(),
        told.lastTransition(),
        object.place());
  }

  /** What a condition says besides whether an object is valid and programmed. */
  public static ProblemReport of(ObjectReport object, Condition condition) {
    return new ProblemReport(
        Severity.PROBLEM,
        condition.reason(),
        object.key(),
        List.of(),
        "",
        object.generation(),
        object.servedGeneration(),
        serving(object),
        condition.message(),
        List.of(),
        condition.lastTransition(),
        object.place());
  }

  /** The warning of an object; null if it has none. */
  public static @Nullable ProblemReport warning(ObjectReport object) {
    return object.warnings().isEmpty()
        ? null
        : new ProblemReport(
            Severity.WARNING,
            WARNING,
            object.key(),
            List.of(),
            "",
            object.generation(),
            object.servedGeneration(),
            serving(object),
            object.warnings().get(0),
            object.warnings(),
            null,
            object.place());
  }

  /** A problem of a single proxy. */
  public static ProblemReport ofProxy(String reason, String node, String message, Instant since) {
    return ofProxy(Severity.PROBLEM, reason, node, message, since);
  }

  /** Something about a single proxy that harms nobody now. */
  public static ProblemReport warningOfProxy(
      String reason, String node, String message, Instant since) {
    return ofProxy(Severity.WARNING, reason, node, message, since);
  }

  private static ProblemReport ofProxy(
      Severity severity, String reason, String node, String message, Instant since) {
    return new ProblemReport(
        severity,
        reason,
        null,
        List.of(),
        node,
        0,
        0,
        Serving.UNKNOWN,
        message,
        List.of(),
        since,
        "");
  }

  /** A problem of the server itself, such as a file that it cannot use. */
  public static ProblemReport ofServer(String reason, String message, Instant since) {
    return new ProblemReport(
        Severity.PROBLEM,
        reason,
        null,
        List.of(),
        "",
        0,
        0,
        Serving.UNKNOWN,
        message,
        List.of(),
        since,
        "server");
  }

  /** A problem with the state. */
  public static ProblemReport ofState(StateProblem problem) {
    return new ProblemReport(
        Severity.PROBLEM,
        STATE_NOT_WRITABLE,
        null,
        List.of(),
        "",
        0,
        0,
        Serving.UNKNOWN,
        "edits wait, and proxies keep what they run: " + problem.message(),
        List.of(),
        problem.since(),
        "state");
  }

  /**
   * A problem of the source.
   *
   * @param affected the objects that it is about, or that stay as they were because of it
   * @param details what it means for them
   */
  public static ProblemReport ofSource(
      String message, String place, List<ObjectKey> affected, List<String> details, Instant since) {
    return new ProblemReport(
        Severity.PROBLEM,
        SOURCE_PROBLEM,
        null,
        affected,
        "",
        0,
        0,
        Serving.UNKNOWN,
        message,
        details,
        since,
        place);
  }

  public static int count(List<ProblemReport> reports, Severity severity) {
    return (int) reports.stream().filter(report -> report.severity == severity).count();
  }

  private static Serving serving(ObjectReport object) {
    if (object.servedGeneration() == 0) {
      return Serving.NOTHING;
    }
    if (object.servedGeneration() != object.generation()) {
      return Serving.PREVIOUS;
    }
    Condition valid = condition(object, "Valid");
    return valid != null && valid.status() == Condition.Status.FALSE ? Serving.PART : Serving.ALL;
  }

  private static @Nullable Condition condition(ObjectReport object, String type) {
    return object.condition(type);
  }
}
