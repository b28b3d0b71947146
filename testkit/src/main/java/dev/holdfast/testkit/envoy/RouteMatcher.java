// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.re2j.Pattern;
import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which virtual host and route a request gets. */
final class RouteMatcher {
  private RouteMatcher() {}

  /** Exact before the longest suffix before the longest prefix before everything. */
  static @Nullable VirtualHost virtualHost(RouteConfiguration routes, String authority) {
    String host = authority.toLowerCase(Locale.ROOT);
    VirtualHost best = null;
    int bestRank = -1;
    for (VirtualHost candidate : routes.getVirtualHostsList()) {
      for (String domain : candidate.getDomainsList()) {
        int rank = rank(domain.toLowerCase(Locale.ROOT), host);
        if (rank > bestRank) {
          bestRank = rank;
          best = candidate;
        }
      }
    }
    return best;
  }

  private static int rank(String domain, String host) {
    if (domain.equals(host)) {
      return Integer.MAX_VALUE;
    }
    if (domain.equals("*")) {
      return 0;
    }
    if (host.length() < domain.length()) {
      return -1; // a wildcard stands for at least one character
    }
    if (domain.startsWith("*") && host.endsWith(domain.substring(1))) {
      return 1_000_000 + domain.length();
    }
    boolean prefix =
        domain.endsWith("*") && host.startsWith(domain.substring(0, domain.length() - 1));
    return prefix ? domain.length() : -1;
  }

  static boolean matches(RouteMatch match, Request request) {
    return path(match, request.pathOnly())
        && match.getHeadersList().stream().allMatch(header -> header(header, request))
        && match.getQueryParametersList().stream().allMatch(query -> query(query, request));
  }

  private static boolean path(RouteMatch match, String path) {
    boolean fold = match.hasCaseSensitive() && !match.getCaseSensitive().getValue();
    String seen = fold ? path.toLowerCase(Locale.ROOT) : path;
    return switch (match.getPathSpecifierCase()) {
      case PREFIX -> seen.startsWith(folded(match.getPrefix(), fold));
      case PATH -> seen.equals(folded(match.getPath(), fold));
      case SAFE_REGEX -> Pattern.matches(match.getSafeRegex().getRegex(), path);
      case PATH_SEPARATED_PREFIX -> {
        String prefix = folded(match.getPathSeparatedPrefix(), fold);
        yield seen.equals(prefix) || seen.startsWith(prefix + "/");
      }
      default -> false;
    };
  }

  private static String folded(String text, boolean fold) {
    return fold ? text.toLowerCase(Locale.ROOT) : text;
  }

  private static boolean header(HeaderMatcher matcher, Request request) {
    String name = matcher.getName().toLowerCase(Locale.ROOT);
    String value =
        switch (name) {
          case ":authority", "host" -> request.host();
          case ":path" -> request.path();
          case ":method" -> request.method();
          default -> request.headers().get(name);
        };
    if (matcher.getHeaderMatchSpecifierCase()
        == HeaderMatcher.HeaderMatchSpecifierCase.PRESENT_MATCH) {
      return ((value != null) == matcher.getPresentMatch()) ^ matcher.getInvertMatch();
    }
    if (value == null && !matcher.getTreatMissingHeaderAsEmpty()) {
      // A header that is not there matches only what is the opposite of something.
      return matcher.getInvertMatch();
    }
    return value(matcher, value == null ? "" : value) ^ matcher.getInvertMatch();
  }

  private static boolean value(HeaderMatcher matcher, String value) {
    return switch (matcher.getHeaderMatchSpecifierCase()) {
      case STRING_MATCH -> string(matcher.getStringMatch(), value);
      case RANGE_MATCH -> {
        try {
          long number = Long.parseLong(value);
          yield number >= matcher.getRangeMatch().getStart()
              && number < matcher.getRangeMatch().getEnd();
        } catch (NumberFormatException e) {
          yield false;
        }
      }
      default -> true; // merely present
    };
  }

  private static boolean query(QueryParameterMatcher matcher, Request request) {
    String value = parameters(request.path()).get(matcher.getName());
    return switch (matcher.getQueryParameterMatchSpecifierCase()) {
      case STRING_MATCH -> value != null && string(matcher.getStringMatch(), value);
      case PRESENT_MATCH -> (value != null) == matcher.getPresentMatch();
      default -> value != null;
    };
  }

  private static Map<String, String> parameters(String path) {
    Map<String, String> parameters = new TreeMap<>();
    int query = path.indexOf('?');
    if (query >= 0) {
      for (String pair : path.substring(query + 1).split("&", -1)) {
        String[] parts = pair.split("=", 2);
        parameters.putIfAbsent(parts[0], parts.length > 1 ? parts[1] : "");
      }
    }
    return parameters;
  }

  private static boolean string(StringMatcher matcher, String value) {
    String seen = folded(value, matcher.getIgnoreCase());
    return switch (matcher.getMatchPatternCase()) {
      case EXACT -> seen.equals(folded(matcher.getExact(), matcher.getIgnoreCase()));
      case PREFIX -> seen.startsWith(folded(matcher.getPrefix(), matcher.getIgnoreCase()));
      case SUFFIX -> seen.endsWith(folded(matcher.getSuffix(), matcher.getIgnoreCase()));
      case CONTAINS -> seen.contains(folded(matcher.getContains(), matcher.getIgnoreCase()));
      case SAFE_REGEX -> Pattern.matches(matcher.getSafeRegex().getRegex(), value);
      default -> false;
    };
  }
}
