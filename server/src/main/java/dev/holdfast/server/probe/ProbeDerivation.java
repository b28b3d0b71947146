// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a request for each route from its conditions. A request is used only if the route takes it
 * by the rules of Envoy, and no route before it does. Pure.
 */
public final class ProbeDerivation {
  private static final String WORD = "holdfast-probe";

  /** Characters that stand for themselves in a path and a query. */
  private static final String PLAIN = "[A-Za-z0-9._~!$&'()*+,;=:@/%-]*";

  private ProbeDerivation() {}

  /**
   * A probe for each route.
   *
   * @param isTls whether the routes are those of a host with TLS
   * @param isReachable whether requests to a cluster reach the sink
   */
  public static List<RouteProbe> of(
      RouteConfiguration routes, boolean isTls, Predicate<String> isReachable) {
    return of(routes, host -> true, isTls, isReachable);
  }

  /**
   * A probe for each route of some hosts.
   *
   * @param hosts which, by their places in the list
   */
  public static List<RouteProbe> of(
      RouteConfiguration routes, IntPredicate hosts, boolean isTls, Predicate<String> isReachable) {
    List<RouteProbe> probes = new ArrayList<>();
    for (int i = 0; i < routes.getVirtualHostsCount(); i++) {
      if (!hosts.test(i)) {
        continue;
      }
      VirtualHost host = routes.getVirtualHosts(i);
      for (int j = 0; j < host.getRoutesCount(); j++) {
        probes.add(probe(host, i, j, isTls, isReachable));
      }
    }
    return probes;
  }

  private static RouteProbe probe(
      VirtualHost host, int i, int j, boolean isTls, Predicate<String> isReachable) {
    Route route = host.getRoutes(j);
    RouteProbe.Expected expected =
        route.hasDirectResponse()
            ? RouteProbe.Expected.ANSWER
            : route.hasRedirect() ? RouteProbe.Expected.REDIRECT : RouteProbe.Expected.FORWARD;
    int status = route.hasDirectResponse() ? route.getDirectResponse().getStatus() : 0;
    String reason = unreachable(route, isReachable);
    if (!reason.isEmpty()) {
      return new RouteProbe(i, j, expected, status, null, reason, /* isShadowed= */ false);
    }
    List<ProbeRequest> requests = requests(host, route.getMatch(), isTls);
    if (requests.isEmpty()) {
      return new RouteProbe(
          i, j, expected, status, null, "no request is found for its conditions", false);
    }
    int shadow = -1;
    for (ProbeRequest request : requests) {
      int taker = taker(host, j, request);
      if (taker < 0) {
        return new RouteProbe(i, j, expected, status, request, "", /* isShadowed= */ false);
      }
      shadow = taker;
    }
    return new RouteProbe(
        i, j, expected, status, null, "routes[" + shadow + "]", /* isShadowed= */ true);
  }

  /** The first route before another one that takes a request; -1 if none does. */
  private static int taker(VirtualHost host, int end, ProbeRequest request) {
    for (int i = 0; i < end; i++) {
      if (RouteRules.matches(host.getRoutes(i).getMatch(), request)) {
        return i;
      }
    }
    return -1;
  }

  private static String unreachable(Route route, Predicate<String> isReachable) {
    if (!RouteRules.isCertain(route.getMatch())) {
      return "its conditions are not about the request alone";
    }
    if (!route.hasRoute()) {
      return route.hasDirectResponse() || route.hasRedirect() ? "" : "it forwards nothing";
    }
    List<String> clusters = new ArrayList<>();
    switch (route.getRoute().getClusterSpecifierCase()) {
      case CLUSTER -> clusters.add(route.getRoute().getCluster());
      case WEIGHTED_CLUSTERS ->
          route
              .getRoute()
              .getWeightedClusters()
              .getClustersList()
              .forEach(each -> clusters.add(each.getName()));
      default -> {
        return "its cluster depends on the request";
      }
    }
    return clusters.stream().allMatch(isReachable)
        ? ""
        : "the connection to its backends is encrypted";
  }

  private static List<ProbeRequest> requests(VirtualHost host, RouteMatch match, boolean isTls) {
    String name = host(host);
    if (name == null) {
      return List.of();
    }
    String method = "GET";
    SortedMap<String, String> headers = new TreeMap<>();
    for (HeaderMatcher matcher : match.getHeadersList()) {
      String header = matcher.getName().toLowerCase(Locale.ROOT);
      String value = value(matcher);
      if (value == null) {
        continue; // better not there
      }
      if (header.equals(":method")) {
        method = value;
      } else if (!header.startsWith(":") && !header.equals("host")) {
        headers.putIfAbsent(header, value);
      }
    }
    List<String> query = new ArrayList<>();
    for (QueryParameterMatcher matcher : match.getQueryParametersList()) {
      String value = matcher.hasStringMatch() ? sample(matcher.getStringMatch()) : /* any */ "1";
      if (value != null && !(matcher.hasPresentMatch() && !matcher.getPresentMatch())) {
        query.add(matcher.getName() + "=" + value);
      }
    }
    String suffix = query.isEmpty() ? "" : "?" + String.join("&", query);
    List<ProbeRequest> requests = new ArrayList<>();
    for (String path : paths(match)) {
      ProbeRequest request = new ProbeRequest(isTls, name, method, path + suffix, headers);
      if (isSendable(request) && RouteRules.matches(match, request)) {
        requests.add(request);
      }
    }
    return requests;
  }

  /** Whether the bytes of the request are those that the route is asked about. */
  private static boolean isSendable(ProbeRequest request) {
    int query = request.path().indexOf('?');
    String rest = query < 0 ? "" : request.path().substring(query + 1);
    return request.plainPath().startsWith("/")
        && request.plainPath().matches(PLAIN)
        && rest.matches(PLAIN)
        && request.method().matches("[A-Z]{1,20}")
        && !request.method().equals("CONNECT")
        && request.headers().entrySet().stream()
            .allMatch(
                each -> each.getKey().matches("[a-z0-9_-]+") && each.getValue().matches("[ -~]*"));
  }

  /** From the shortest on: what is more special than a prefix stands before it. */
  private static List<String> paths(RouteMatch match) {
    return switch (match.getPathSpecifierCase()) {
      case PATH -> List.of(match.getPath());
      case PREFIX -> below(match.getPrefix());
      case PATH_SEPARATED_PREFIX -> below(match.getPathSeparatedPrefix());
      case SAFE_REGEX -> {
        String sample = RegexSample.of(match.getSafeRegex().getRegex());
        yield sample == null ? List.of() : List.of(sample);
      }
      case CONNECT_MATCHER, PATH_MATCH_POLICY, PATHSPECIFIER_NOT_SET -> List.of();
    };
  }

  private static List<String> below(String prefix) {
    return List.of(prefix, prefix + (prefix.endsWith("/") ? "" : "/") + WORD);
  }

  private static @Nullable String host(VirtualHost host) {
    for (String domain : host.getDomainsList()) {
      if (domain.equals("*")) {
        return WORD + ".invalid";
      }
      if (domain.startsWith("*.")) {
        return WORD + domain.substring(1);
      }
      if (!domain.contains("*")) {
        return domain;
      }
    }
    return null;
  }

  private static @Nullable String value(HeaderMatcher matcher) {
    if (matcher.hasPresentMatch()) {
      return matcher.getPresentMatch() != matcher.getInvertMatch() ? "1" : null;
    }
    if (!matcher.hasStringMatch()) {
      return matcher.getInvertMatch() ? null : "1";
    }
    if (!matcher.getInvertMatch()) {
      return sample(matcher.getStringMatch());
    }
    return matcher.getTreatMissingHeaderAsEmpty() ? null : WORD;
  }

  private static @Nullable String sample(StringMatcher matcher) {
    return switch (matcher.getMatchPatternCase()) {
      case EXACT -> matcher.getExact();
      case PREFIX -> matcher.getPrefix();
      case SUFFIX -> matcher.getSuffix();
      case CONTAINS -> matcher.getContains();
      case SAFE_REGEX -> RegexSample.of(matcher.getSafeRegex().getRegex());
      case CUSTOM, MATCHPATTERN_NOT_SET -> null;
    };
  }
}
