// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import com.google.re2j.Pattern;
import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.Conditions.PathKind;
import dev.holdfast.controlplane.objects.httpproxy.HeaderCondition;
import dev.holdfast.controlplane.objects.httpproxy.QueryCondition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Merges the conditions of an include with those of the included routes: all of them must hold, and
 * paths are concatenated. A bare {@code /} adds nothing to a path: {@code /api} and {@code /} give
 * {@code /api}. Conditions that differ only in their order give the same result.
 */
final class IncludeConditions {
  private static final String ROOT = "/";

  /** Matches every request. */
  static final Conditions EVERYTHING =
      new Conditions(new Conditions.Path(PathKind.PREFIX, ROOT), List.of(), List.of());

  private IncludeConditions() {}

  static Conditions merge(Conditions outer, Conditions inner) {
    return new Conditions(
        path(outer.path().text(), inner.path()),
        headers(outer.headers(), inner.headers()),
        queries(outer.queries(), inner.queries()));
  }

  /** The outer path is always a prefix: includes support nothing else. */
  private static Conditions.Path path(String prefix, Conditions.Path inner) {
    if (inner.kind() == PathKind.REGEX) {
      // The prefix is literal text: quote it, as it may contain metacharacters. The group keeps
      // every alternative of the inner expression behind the prefix.
      String text = trimmed(collapsed(prefix));
      return new Conditions.Path(
          PathKind.REGEX,
          text.isEmpty() ? inner.text() : Pattern.quote(text) + "(?:" + inner.text() + ")");
    }
    boolean bare = inner.kind() == PathKind.PREFIX && inner.text().equals(ROOT);
    return new Conditions.Path(inner.kind(), collapsed(bare ? prefix : prefix + inner.text()));
  }

  private static String collapsed(String path) {
    return path.replaceAll("//+", ROOT);
  }

  private static String trimmed(String path) {
    return path.endsWith(ROOT) ? path.substring(0, path.length() - 1) : path;
  }

  private static List<HeaderCondition> headers(
      List<HeaderCondition> outer, List<HeaderCondition> inner) {
    return merged(
        outer,
        inner,
        Comparator.comparing(HeaderCondition::name)
            .thenComparing(HeaderCondition::match)
            .thenComparing(HeaderCondition::negated)
            .thenComparing(HeaderCondition::value)
            .thenComparing(HeaderCondition::ignoreCase)
            .thenComparing(HeaderCondition::missingIsEmpty));
  }

  private static List<QueryCondition> queries(
      List<QueryCondition> outer, List<QueryCondition> inner) {
    return merged(
        outer,
        inner,
        Comparator.comparing(QueryCondition::name)
            .thenComparing(QueryCondition::match)
            .thenComparing(QueryCondition::value)
            .thenComparing(QueryCondition::ignoreCase));
  }

  private static <T> List<T> merged(List<T> outer, List<T> inner, Comparator<T> order) {
    Set<T> all = new LinkedHashSet<>(outer);
    all.addAll(inner);
    List<T> sorted = new ArrayList<>(all);
    sorted.sort(order);
    return List.copyOf(sorted);
  }
}
