// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.ingress.PathRule;
import dev.holdfast.controlplane.translate.proto.Matchers;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;

/** Route matches. */
public final class RouteMatches {
  private static final String EVERYTHING = "/";

  private RouteMatches() {}

  /**
   * The match for merged conditions.
   *
   * @param fqdn of the virtual host, which may be a wildcard
   */
  public static RouteMatch of(Conditions conditions, String fqdn) {
    RouteMatch.Builder match = conditions(conditions);
    addHost(match, fqdn);
    return match.build();
  }

  /** The match for a path of an Ingress. */
  public static RouteMatch of(PathRule rule, String host) {
    RouteMatch.Builder match = RouteMatch.newBuilder();
    switch (rule.match()) {
      case EXACT -> match.setPath(rule.path());
      case PREFIX -> match.setPrefix(rule.path());
      case REGEX -> match.setSafeRegex(Matchers.regex(rule.path()));
      case SEGMENTS -> setSegments(match, rule.path());
    }
    addHost(match, host);
    return match.build();
  }

  /** Matches every request to a host. */
  public static RouteMatch everything(String fqdn) {
    RouteMatch.Builder match = RouteMatch.newBuilder().setPrefix(EVERYTHING);
    addHost(match, fqdn);
    return match.build();
  }

  static RouteMatch.Builder conditions(Conditions conditions) {
    RouteMatch.Builder match = RouteMatch.newBuilder();
    String path = conditions.path().text();
    switch (conditions.path().kind()) {
      case PREFIX -> match.setPrefix(path);
      case EXACT -> match.setPath(path);
      case REGEX -> match.setSafeRegex(Matchers.regex(path));
    }
    conditions.headers().forEach(header -> match.addHeaders(HeaderMatches.of(header)));
    conditions.queries().forEach(query -> match.addQueryParameters(QueryMatches.of(query)));
    return match;
  }

  private static void addHost(RouteMatch.Builder match, String fqdn) {
    if (HeaderMatches.isWildcard(fqdn)) {
      match.addHeaders(HeaderMatches.oneLabel(fqdn));
    }
  }

  /** A trailing slash has no meaning for segments, and Envoy rejects it. */
  private static void setSegments(RouteMatch.Builder match, String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    if (end == 0) {
      match.setPrefix(EVERYTHING);
    } else {
      match.setPathSeparatedPrefix(path.substring(0, end));
    }
  }
}
