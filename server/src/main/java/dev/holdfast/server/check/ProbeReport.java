// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.check;

import dev.holdfast.config.ObjectKey;
import java.util.List;

/**
 * What came of the requests to all routes.
 *
 * @param asked how many routes were sent a request
 * @param isComplete whether there was time for all of them
 */
public record ProbeReport(List<Finding> findings, int asked, boolean isComplete) {
  public static final ProbeReport NONE = new ProbeReport(List.of(), 0, true);

  public ProbeReport {
    findings = List.copyOf(findings);
  }

  /** What can be said of a route that does not simply work. */
  public enum Kind {
    /** A request that it is to serve failed in the proxy. */
    FAILED,
    /** Requests for it are answered by something else. */
    ELSEWHERE,
    /** It was not sent a request. */
    NOT_PROBED
  }

  /**
   * @param object whose author can mend it
   * @param field of the object, such as {@code spec.routes[1]}
   * @param message what was sent, and what came back
   */
  public record Finding(Kind kind, ObjectKey object, String field, String message) {}
}
