// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.Conditions.PathKind;
import dev.holdfast.controlplane.objects.httpproxy.Redirect;
import dev.holdfast.controlplane.objects.httpproxy.ReplacePrefix;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Prefix rewrites.
 *
 * <p>Envoy replaces exactly the characters that matched. So a prefix that ends with a slash needs a
 * replacement that does, and a prefix without one needs a replacement without, or {@code /foo/x}
 * would become {@code //x} or {@code /barx}. A route that replaces its prefix therefore has two
 * forms, {@code /foo} and {@code /foo/}, unless the author has routes for both.
 */
public final class Rewrites {
  private Rewrites() {}

  /**
   * The forms of a route, the one that the author wrote first.
   *
   * @param conditions those of the route merged with those of its includes
   * @param routed whether the virtual host has a written route with these conditions
   */
  public static List<RouteForm> forms(
      Route route, Conditions conditions, Predicate<Conditions> routed) {
    if (route.action() instanceof Redirect redirect) {
      // Exactly the matched characters, as Contour does it: clients have learned these locations.
      return List.of(new RouteForm(conditions, redirect.prefix()));
    }
    String replacement = replacement(route, conditions.path());
    String written = conditions.path().text();
    RouteForm plain = new RouteForm(conditions, replacement);
    String prefix = trimmed(written);
    if (replacement == null || prefix.isEmpty() || conditions.path().kind() != PathKind.PREFIX) {
      return List.of(plain);
    }
    boolean slashed = !prefix.equals(written);
    // A prefix that ends with a slash does not match the path without it; a shorter prefix would
    // also match /foobar.
    Conditions other =
        slashed
            ? with(conditions, PathKind.EXACT, prefix)
            : with(conditions, PathKind.PREFIX, prefix + "/");
    if (routed.test(other) || routed.test(with(other, PathKind.PREFIX, other.path().text()))) {
      return List.of(plain);
    }
    String bare = trimmed(replacement);
    String withoutSlash = bare.isEmpty() ? "/" : bare;
    String withSlash = bare + "/";
    return List.of(
        new RouteForm(conditions, slashed ? withSlash : withoutSlash),
        new RouteForm(other, slashed ? withoutSlash : withSlash));
  }

  private static Conditions with(Conditions conditions, PathKind kind, String path) {
    return new Conditions(
        new Conditions.Path(kind, path), conditions.headers(), conditions.queries());
  }

  /** The replacement for this prefix, or else the one for all prefixes. */
  private static @Nullable String replacement(Route route, Conditions.Path path) {
    if (path.kind() != PathKind.PREFIX) {
      return null;
    }
    String fallback = null;
    for (ReplacePrefix replace : route.pathRewrite()) {
      if (replace.prefix().equals(path.text())) {
        return replace.replacement();
      }
      if (replace.prefix().isEmpty()) {
        fallback = replace.replacement();
      }
    }
    return fallback;
  }

  private static String trimmed(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }
}
