// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

/** What an answer says about a route. The table is in docs/check.md. */
public enum ProbeVerdict {
  /** It works, or a filter took the request for reasons of its own. */
  FINE,
  /** The proxy could not do what the route says. */
  FAILED,
  /** The request took another way than was meant. */
  ELSEWHERE,
  /** The answer says nothing about the route. */
  UNKNOWN;

  private static final int ERROR = 500;
  private static final int NOT_FOUND = 404;

  /** An error that the author has asked for. */
  private static final String INJECTED = "fault filter abort";

  /** The verdict about a route. Pure. */
  public static ProbeVerdict of(RouteProbe probe, ProbeAnswer answer) {
    return switch (answer.kind()) {
      case CLOSED, SILENT -> FAILED;
      case NO_TLS -> UNKNOWN;
      case ANSWERED -> answered(probe, answer);
    };
  }

  private static ProbeVerdict answered(RouteProbe probe, ProbeAnswer answer) {
    if (answer.isFromSink()) {
      return probe.expected() == RouteProbe.Expected.FORWARD ? FINE : ELSEWHERE;
    }
    if (probe.expected() == RouteProbe.Expected.ANSWER && answer.status() == probe.status()) {
      return FINE;
    }
    if (answer.status() >= ERROR) {
      return answer.text().startsWith(INJECTED) ? FINE : FAILED;
    }
    return answer.status() == NOT_FOUND ? ELSEWHERE : FINE;
  }
}
