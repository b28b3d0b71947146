// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.Problem;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Condition;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.SourceNote;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.ProxyReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is not as its author wants it: files that cannot be read, objects that are not
 * served as written, and proxies that run something else. Loop only.
 */
final class ProblemReports {
  /** Proxies answer within milliseconds, and a busy one within seconds. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /** How the message of a proxy begins that is more lenient than its class. */
  private static final String ACCEPTS = "accepts what ";

  private final TimeSource time;
  private Map<LocatedProblem, Instant> sourceProblems = Map.of();
  private List<LocatedProblem> inOrder = List.of();
  private SortedMap<ObjectKey, String> waiting = new TreeMap<>();

  ProblemReports(TimeSource time) {
    this.time = time;
  }

  /** These are all problems that the source has now. */
  void sourceProblems(List<LocatedProblem> problems) {
    Map<LocatedProblem, Instant> next = new HashMap<>();
    for (LocatedProblem problem : problems) {
      next.put(problem, sourceProblems.getOrDefault(problem, time.now()));
    }
    sourceProblems = next;
    inOrder = List.copyOf(problems);
  }

  /** These are all notes of the source, of which those count that tell of edits that wait. */
  void waitingEdits(SortedMap<ObjectKey, SourceNote> notes) {
    SortedMap<ObjectKey, String> next = new TreeMap<>();
    notes.forEach(
        (key, note) -> {
          if (note.reason().equals(SourceNote.NOT_STORED)) {
            next.put(key, note.message());
          }
        });
    waiting = next;
  }

  List<LocatedProblem> sourceProblems() {
    return inOrder;
  }

  /** The problems in the order: files, objects, proxies; then the warnings. */
  List<ProblemReport> all(List<ObjectReport> objects, List<ProxyReport> proxies) {
    List<ProblemReport> problems = new ArrayList<>();
    inOrder.forEach(problem -> problems.add(report(problem, objects)));
    List<ProblemReport> warnings = new ArrayList<>();
    for (ObjectReport object : objects) {
      ProblemReport problem = ProblemReport.of(object);
      if (problem != null) {
        problems.add(problem);
      }
      Condition deletion = object.condition(DeletionRecorder.DELETION);
      if (deletion != null) {
        problems.add(ProblemReport.of(object, deletion));
      }
      Condition source = object.condition(SourceNotes.SOURCE);
      if (source != null && inOrder.stream().noneMatch(each -> isCause(each, source))) {
        problems.add(ProblemReport.of(object, source));
      }
      ProblemReport warning = ProblemReport.warning(object);
      if (warning != null) {
        warnings.add(warning);
      }
    }
    proxies.stream()
        .filter(proxy -> proxy.scout() == null) // it serves nobody
        .forEach(proxy -> addProxy(proxy, problems));
    proxies.forEach(proxy -> addRefusedRemoval(proxy, warnings));
    addSharedNodeIds(proxies, warnings);
    proxies.forEach(proxy -> addScout(proxy, warnings));
    problems.addAll(warnings);
    return problems;
  }

  private ProblemReport report(LocatedProblem problem, List<ObjectReport> objects) {
    List<ObjectKey> affected = new ArrayList<>();
    List<String> details = new ArrayList<>();
    for (ObjectReport object : objects) {
      if (isAboutFile(problem) && isFrom(problem.position().source(), object.place())) {
        affected.add(object.key());
        details.add(object.key() + " stays as it was last read from this file");
      } else if (isCause(problem, object.condition(SourceNotes.SOURCE))) {
        affected.add(object.key());
      }
    }
    return ProblemReport.ofSource(
        problem.problem().toString(),
        problem.position().toString(),
        affected,
        details,
        sourceProblems.getOrDefault(problem, time.now()));
  }

  /** Whether an object has its condition {@code Source} because of a problem that is listed. */
  private static boolean isCause(LocatedProblem problem, @Nullable Condition source) {
    return source != null && source.message().contains(problem.toString());
  }

  /** Adds to an object the problems of the file that it was last read from, and of its edits. */
  ObjectReport withSourceProblems(ObjectReport object) {
    List<String> problems = new ArrayList<>(object.problems());
    String edit = waiting.get(object.key());
    if (edit != null) {
      problems.add(edit);
    }
    for (LocatedProblem problem : inOrder) {
      if (isAboutFile(problem) && isFrom(problem.position().source(), object.place())) {
        problems.add(problem + " (until this is fixed, later edits of this object may be unread)");
      }
    }
    return problems.size() == object.problems().size() ? object : object.withProblems(problems);
  }

  /** Whether it keeps other objects of the same file from being read. */
  private static boolean isAboutFile(LocatedProblem problem) {
    return problem.problem().kind() == Problem.Kind.UNDECODABLE || problem.position().line() == 0;
  }

  private static boolean isFrom(String file, String place) {
    return place.equals(file) || place.startsWith(file + ":");
  }

  private void addProxy(ProxyReport proxy, List<ProblemReport> problems) {
    ProxyReport.DivergedReport diverged = proxy.diverged();
    if (diverged != null) {
      problems.add(
          ProblemReport.ofProxy(
              ProblemReport.DIVERGED,
              proxy.node(),
              isTooLenient(diverged.message())
                  ? diverged.message()
                  : "rejects what other proxies of class "
                      + proxy.proxyClass()
                      + " run: "
                      + diverged.message(),
              diverged.since()));
    }
    proxy.streams().stream()
        .flatMap(stream -> stream.types().stream())
        .map(type -> problem(proxy.node(), type))
        .filter(Objects::nonNull)
        .findFirst()
        .ifPresent(problems::add);
  }

  /** One warning for each node id that several proxies use. */
  private static void addSharedNodeIds(List<ProxyReport> proxies, List<ProblemReport> warnings) {
    SortedMap<String, List<ProxyReport>> sharing = new TreeMap<>();
    for (ProxyReport proxy : proxies) {
      String nodeId = proxy.sharedNodeId();
      if (nodeId != null && !proxy.streams().isEmpty()) {
        sharing.computeIfAbsent(nodeId, id -> new ArrayList<>()).add(proxy);
      }
    }
    sharing.forEach(
        (nodeId, sharers) -> {
          ProxyReport.StreamReport newest = sharers.get(sharers.size() - 1).streams().get(0);
          warnings.add(
              ProblemReport.warningOfProxy(
                  ProblemReport.NODE_ID_SHARED,
                  nodeId,
                  sharers.size()
                      + " processes use this node id, the last from "
                      + newest.address()
                      + "; give each proxy a node id of its own",
                  newest.since()));
        });
  }

  /** A scout that is not asked, and has had the time to get ready. */
  private void addScout(ProxyReport proxy, List<ProblemReport> warnings) {
    ProxyReport.ScoutReport scout = proxy.scout();
    if (scout == null || scout.idle().isEmpty() || proxy.streams().isEmpty()) {
      return;
    }
    Instant since = proxy.streams().get(0).since();
    if (Duration.between(since, time.now()).compareTo(SILENCE) >= 0) {
      warnings.add(
          ProblemReport.warningOfProxy(
              ProblemReport.SCOUT_NOT_ASKED, proxy.node(), "scout: " + scout.idle(), since));
    }
  }

  /** Nobody tries changes any more before the proxies of a class that are served. */
  static ProblemReport noScout(String proxyClass, Instant since) {
    return ProblemReport.warningOfProxy(
        ProblemReport.SCOUT_NOT_ASKED,
        "",
        "no scout of class " + proxyClass + " can be asked: a canary tries changes first",
        since);
  }

  private static void addRefusedRemoval(ProxyReport proxy, List<ProblemReport> warnings) {
    for (ProxyReport.StreamReport stream : proxy.streams()) {
      for (ProxyReport.TypeReport type : stream.types()) {
        if (!type.refusedRemovals().isEmpty()) {
          ProxyReport.RemovalReport first = type.refusedRemovals().get(0);
          warnings.add(
              ProblemReport.warningOfProxy(
                  ProblemReport.REMOVAL_REFUSED,
                  proxy.node(),
                  "keeps "
                      + type.type().word()
                      + " "
                      + first.resource()
                      + (type.refusedRemovals().size() == 1
                          ? ""
                          : " and " + (type.refusedRemovals().size() - 1) + " more")
                      + ", whose removal it refuses: "
                      + first.message(),
                  first.at()));
          return;
        }
      }
    }
  }

  /** A proxy also diverges by accepting something, and then its message says all there is. */
  private static boolean isTooLenient(String message) {
    return message.startsWith(ACCEPTS);
  }

  private @Nullable ProblemReport problem(String node, ProxyReport.TypeReport type) {
    ProxyReport.ErrorReport error = type.lastError();
    Instant pending = type.pendingSince();
    if (error != null && error.retryAt() != null) {
      return ProblemReport.ofProxy(
          ProblemReport.LOCAL_PROBLEM,
          node,
          "cannot apply " + type.type().word() + ": " + error.message(),
          error.at());
    }
    return pending == null || !pending.plus(SILENCE).isBefore(time.now())
        ? null
        : ProblemReport.ofProxy(
            ProblemReport.NO_ANSWER,
            node,
            "has not answered its newest " + type.type().word() + " resources",
            pending);
  }
}
