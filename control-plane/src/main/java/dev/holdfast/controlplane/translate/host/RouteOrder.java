// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.Conditions.PathKind;
import dev.holdfast.controlplane.objects.ingress.PathRule;
import java.util.Comparator;

/**
 * Orders routes from specific to general, because the first match counts: exact paths before
 * regular expressions before prefixes, longer before shorter, more conditions before fewer. The
 * sort must be stable: equal routes keep their order.
 */
final class RouteOrder {
  static final Comparator<Conditions> CONDITIONS =
      Comparator.<Conditions>comparingInt(conditions -> rank(conditions.path().kind()))
          .thenComparingInt(conditions -> -conditions.path().text().length())
          .thenComparingInt(conditions -> -conditions.headers().size())
          .thenComparingInt(conditions -> -conditions.queries().size());

  static final Comparator<PathRule> PATHS =
      Comparator.<PathRule>comparingInt(rule -> rank(rule.match()))
          .thenComparingInt(rule -> -rule.path().length());

  private RouteOrder() {}

  private static int rank(PathKind kind) {
    return switch (kind) {
      case EXACT -> 0;
      case REGEX -> 1;
      case PREFIX -> 2;
    };
  }

  private static int rank(PathRule.Match match) {
    return switch (match) {
      case EXACT -> 0;
      case REGEX -> 1;
      case SEGMENTS, PREFIX -> 2;
    };
  }
}
