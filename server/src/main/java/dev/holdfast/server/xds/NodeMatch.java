// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.envoyproxy.envoy.type.matcher.v3.NodeMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.grpc.Status;
import io.grpc.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Whom a request is about: those that any of its matchers matches, or all if it has none. */
final class NodeMatch {
  private NodeMatch() {}

  static Predicate<String> of(List<NodeMatcher> matchers) throws StatusException {
    if (matchers.isEmpty()) {
      return node -> true;
    }
    List<Predicate<String>> any = new ArrayList<>();
    for (NodeMatcher matcher : matchers) {
      if (matcher.getNodeMetadatasCount() > 0) {
        throw invalid("node_matchers.node_metadatas: not supported (expected: node_id only)");
      }
      any.add(matcher.hasNodeId() ? of(matcher.getNodeId()) : node -> true);
    }
    return node -> any.stream().anyMatch(one -> one.test(node));
  }

  private static Predicate<String> of(StringMatcher matcher) throws StatusException {
    boolean fold = matcher.getIgnoreCase();
    return switch (matcher.getMatchPatternCase()) {
      case EXACT -> folded(fold, String::equals, matcher.getExact());
      case PREFIX -> folded(fold, String::startsWith, matcher.getPrefix());
      case SUFFIX -> folded(fold, String::endsWith, matcher.getSuffix());
      case CONTAINS -> folded(fold, String::contains, matcher.getContains());
      case SAFE_REGEX -> regex(matcher.getSafeRegex().getRegex());
      case CUSTOM, MATCHPATTERN_NOT_SET ->
          throw invalid(
              "node_matchers.node_id: "
                  + matcher.getMatchPatternCase()
                  + " (expected: exact, prefix, suffix, contains or safe_regex)");
    };
  }

  @FunctionalInterface
  private interface Comparison {
    boolean holds(String node, String expected);
  }

  private static Predicate<String> folded(boolean fold, Comparison comparison, String expected) {
    return fold
        ? node -> comparison.holds(lower(node), lower(expected))
        : node -> comparison.holds(node, expected);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private static Predicate<String> regex(String regex) throws StatusException {
    try {
      return Pattern.compile(regex)::matches;
    } catch (PatternSyntaxException e) {
      throw invalid("node_matchers.node_id.safe_regex: " + e.getDescription());
    }
  }

  private static StatusException invalid(String message) {
    return Status.INVALID_ARGUMENT.withDescription(message).asException();
  }
}
