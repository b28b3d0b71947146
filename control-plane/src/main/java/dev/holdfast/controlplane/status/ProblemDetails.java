// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConditionDetail;
import dev.holdfast.config.ConditionDetail.Severity;
import dev.holdfast.config.LocatedProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The problems of an object one by one, each under the type that Contour gives to errors in that
 * part of an HTTPProxy, which its users and their tools know.
 */
final class ProblemDetails {
  private static final int MOST = 32;
  private static final int LONGEST = 1_024;

  /** The first one that a path matches counts. */
  private static final List<Part> PARTS =
      List.of(
          new Part("metadata\\.namespace", "RootNamespaceError"),
          new Part("(spec\\.)?tcpproxy\\.includes?\\b.*", "TCPProxyIncludeError"),
          new Part("(spec\\.)?tcpproxy\\b.*", "TCPProxyError"),
          new Part(".*\\bip(Allow|Deny)(Filter)?Policy\\b.*", "IPFilterError"),
          new Part(".*\\bcorsPolicy\\b.*", "CORSError"),
          new Part(".*\\b(authorization|authPolicy)\\b.*", "AuthError"),
          new Part(".*\\bjwt(Providers|VerificationPolicy)\\b.*", "JWTVerificationError"),
          new Part(".*\\bpathRewritePolicy\\b.*", "PrefixReplaceError"),
          new Part("(spec\\.)?virtualhost\\.tls\\b.*", "TLSError"),
          new Part("(spec\\.)?virtualhost\\b.*", "VirtualHostError"),
          new Part("(spec\\.)?routes\\[\\d+]\\.services\\b.*", "ServiceError"),
          new Part("(spec\\.)?routes\\b.*", "RouteError"),
          new Part("(spec\\.)?includes\\b.*", "IncludeError"));

  private static final String REST = "SpecError";
  private static final String OF_SCOUTS = "ScoutWarning";

  private record Part(Pattern path, String type) {
    Part(String path, String type) {
      this(Pattern.compile(path), type);
    }
  }

  private ProblemDetails() {}

  /**
   * @param ofScouts warnings of scouts, as text
   */
  static List<ConditionDetail> of(
      List<LocatedProblem> errors, List<LocatedProblem> warnings, List<String> ofScouts) {
    List<ConditionDetail> details = new ArrayList<>();
    add(Severity.ERROR, errors, details);
    add(Severity.WARNING, warnings, details);
    ofScouts.stream()
        .limit(MOST)
        .forEach(
            text ->
                details.add(
                    new ConditionDetail(Severity.WARNING, OF_SCOUTS, "ProbeFailed", cut(text))));
    return details;
  }

  /** The warnings of scouts among the details of a condition. */
  static List<String> ofScouts(List<ConditionDetail> details) {
    return details.stream()
        .filter(detail -> detail.type().equals(OF_SCOUTS))
        .map(ConditionDetail::message)
        .toList();
  }

  private static void add(
      Severity severity, List<LocatedProblem> problems, List<ConditionDetail> details) {
    problems.stream()
        .limit(MOST)
        .forEach(
            located -> {
              Problem problem = located.problem();
              String type = type(problem.path());
              details.add(
                  new ConditionDetail(severity, type, reason(type, problem), text(located)));
            });
  }

  private static String type(String path) {
    return PARTS.stream()
        .filter(part -> part.path().matcher(path).matches())
        .map(Part::type)
        .findFirst()
        .orElse(REST);
  }

  private static String reason(String type, Problem problem) {
    return switch (problem.kind()) {
      case UNDECODABLE -> "Undecodable";
      case REQUIRED -> "Required";
      // What is wrong with a reference to a Service is that it leads nowhere.
      case INVALID -> type.equals("ServiceError") ? "ServiceUnresolvedReference" : "Invalid";
      case UNSUPPORTED -> "Unsupported";
      case CONFLICT -> "Conflict";
    };
  }

  private static String text(LocatedProblem problem) {
    return cut(problem.toString());
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }
}
