// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One thing that there is to say of an object.
 *
 * @param severity whether it fails the check
 * @param reason what sort of thing it is, in one word for machines
 * @param object null if a file could not be read so far
 * @param position where it is written
 * @param field of the object; empty if unknown
 * @param proxies who says so, such as {@code envoy 1.39.0}; empty if Holdfast itself does
 * @param resource the xDS resource that was refused; empty if none was
 * @param message for people
 */
record Finding(
    Severity severity,
    String reason,
    @Nullable ObjectKey object,
    Position position,
    String field,
    List<String> proxies,
    String resource,
    String message) {

  /** Ordered by how bad it is. */
  enum Severity {
    /** The object is bad. */
    ERROR,
    /** The object is bad, and was so in the baseline. */
    KNOWN,
    /** The object may be good, but not everything about it is known, or it is of no use. */
    WARNING;

    String word() {
      return switch (this) {
        case ERROR -> "error";
        case KNOWN -> "known";
        case WARNING -> "warning";
      };
    }
  }

  static final String INVALID = "Invalid";
  static final String REFUSED = "Refused";
  static final String DIED = "ProxyDied";
  static final String HUNG = "ProxyHung";
  static final String PROBE_FAILED = "ProbeFailed";
  static final String SHADOWED = "Shadowed";
  static final String NOT_PROBED = "NotProbed";
  static final String UNAVAILABLE = "GrpcUnavailable";
  static final String WAITING = "DependencyRejected";
  static final String NOT_JUDGED = "NotJudged";

  static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::severity)
          .thenComparing(Finding::position)
          .thenComparing(finding -> String.valueOf(finding.object()))
          .thenComparing(Finding::reason)
          .thenComparing(Finding::message)
          .thenComparing(finding -> String.join(",", finding.proxies()));

  Finding {
    requireNonNull(severity, "severity");
    requireNonNull(reason, "reason");
    requireNonNull(position, "position");
    requireNonNull(field, "field");
    requireNonNull(resource, "resource");
    requireNonNull(message, "message");
    proxies = List.copyOf(proxies);
  }

  /** The same of other proxies. */
  Finding by(List<String> others) {
    return new Finding(severity, reason, object, position, field, others, resource, message);
  }

  /** The same with another severity. */
  Finding as(Severity other) {
    return new Finding(other, reason, object, position, field, proxies, resource, message);
  }

  /** What happened and who says so, in one sentence without its end. */
  String statement() {
    String who = String.join(" and ", proxies);
    String what =
        switch (reason) {
          case REFUSED ->
              "refused by " + who + (resource.isEmpty() ? "" : " in " + resource) + ": ";
          case DIED -> who + (proxies.size() == 1 ? " dies of it: " : " die of it: ");
          case HUNG -> who + (proxies.size() == 1 ? " hangs on it: " : " hang on it: ");
          case PROBE_FAILED -> "a request through " + who + " failed: ";
          case UNAVAILABLE -> who + " cannot use it: ";
          case NOT_PROBED -> "not probed: ";
          case NOT_JUDGED -> "not judged by " + who + ": ";
          default -> "";
        };
    return what + (field.isEmpty() ? "" : field + ": ") + message;
  }
}
