// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether a route takes a request, by the rules of Envoy. Pure. */
final class RouteRules {
  private RouteRules() {}

  /** Whether a request alone decides: not chance, not what filters have found out. */
  static boolean isCertain(RouteMatch match) {
    return !match.hasRuntimeFraction()
        && !match.hasGrpc()
        && !match.hasTlsContext()
        && match.getDynamicMetadataCount() == 0
        && match.getFilterStateCount() == 0;
  }

  static boolean matches(RouteMatch match, ProbeRequest request) {
    return isCertain(match)
        && path(match, request.plainPath())
        && match.getHeadersList().stream().allMatch(each -> header(each, request))
        && match.getQueryParametersList().stream()
            .allMatch(each -> parameter(each, request.parameter(each.getName())));
  }

  private static boolean path(RouteMatch match, String path) {
    boolean isCaseSensitive = !match.hasCaseSensitive() || match.getCaseSensitive().getValue();
    String asked = isCaseSensitive ? path : path.toLowerCase(Locale.ROOT);
    return switch (match.getPathSpecifierCase()) {
      case PREFIX -> asked.startsWith(cased(match.getPrefix(), isCaseSensitive));
      case PATH -> asked.equals(cased(match.getPath(), isCaseSensitive));
      case PATH_SEPARATED_PREFIX -> {
        String prefix = cased(match.getPathSeparatedPrefix(), isCaseSensitive);
        yield asked.equals(prefix) || asked.startsWith(prefix + "/");
      }
      case SAFE_REGEX -> regex(match.getSafeRegex().getRegex(), path);
      case CONNECT_MATCHER, PATH_MATCH_POLICY, PATHSPECIFIER_NOT_SET -> false;
    };
  }

  private static String cased(String text, boolean isCaseSensitive) {
    return isCaseSensitive ? text : text.toLowerCase(Locale.ROOT);
  }

  private static boolean header(HeaderMatcher matcher, ProbeRequest request) {
    String name = matcher.getName().toLowerCase(Locale.ROOT);
    String value =
        switch (name) {
          case ":method" -> request.method();
          case ":authority", "host" -> request.host();
          case ":path" -> request.path();
          case ":scheme" -> request.isTls() ? "https" : "http";
          default -> request.headers().get(name);
        };
    if (matcher.getHeaderMatchSpecifierCase()
        == HeaderMatcher.HeaderMatchSpecifierCase.PRESENT_MATCH) {
      return ((value != null) == matcher.getPresentMatch()) != matcher.getInvertMatch();
    }
    if (value == null && !matcher.getTreatMissingHeaderAsEmpty()) {
      return false;
    }
    return value(matcher, value == null ? "" : value) != matcher.getInvertMatch();
  }

  private static boolean value(HeaderMatcher matcher, String value) {
    return switch (matcher.getHeaderMatchSpecifierCase()) {
      case STRING_MATCH -> text(matcher.getStringMatch(), value);
      case HEADERMATCHSPECIFIER_NOT_SET -> true;
      default -> false;
    };
  }

  private static boolean parameter(QueryParameterMatcher matcher, @Nullable String value) {
    return switch (matcher.getQueryParameterMatchSpecifierCase()) {
      case STRING_MATCH -> value != null && text(matcher.getStringMatch(), value);
      case PRESENT_MATCH -> (value != null) == matcher.getPresentMatch();
      case QUERYPARAMETERMATCHSPECIFIER_NOT_SET -> value != null;
    };
  }

  /** Whether a text is as a matcher wants it. */
  static boolean text(StringMatcher matcher, String given) {
    boolean isCased = !matcher.getIgnoreCase();
    String value = cased(given, isCased);
    return switch (matcher.getMatchPatternCase()) {
      case EXACT -> value.equals(cased(matcher.getExact(), isCased));
      case PREFIX -> value.startsWith(cased(matcher.getPrefix(), isCased));
      case SUFFIX -> value.endsWith(cased(matcher.getSuffix(), isCased));
      case CONTAINS -> value.contains(cased(matcher.getContains(), isCased));
      case SAFE_REGEX -> regex(matcher.getSafeRegex().getRegex(), given);
      case CUSTOM, MATCHPATTERN_NOT_SET -> false;
    };
  }

  private static boolean regex(String regex, String text) {
    try {
      return Pattern.matches(regex, text);
    } catch (PatternSyntaxException e) {
      return false;
    }
  }
}
