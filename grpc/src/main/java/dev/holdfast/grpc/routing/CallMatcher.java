// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.xds.resources.decode.Fractions;
import dev.holdfast.xds.resources.route.HeaderMatcher;
import dev.holdfast.xds.resources.route.RouteMatch;
import io.grpc.Metadata;
import java.util.List;

/** What a route asks of a call besides its path. */
final class CallMatcher {
  private final HeaderMatcher[] matchers;
  private final Headers[] headers;
  private final int fractionPerMillion;
  private final ThreadSafeRandom random;

  CallMatcher(RouteMatch match, ThreadSafeRandom random) {
    List<HeaderMatcher> asked = match.headers();
    matchers = asked.toArray(HeaderMatcher[]::new);
    headers = asked.stream().map(header -> Headers.of(header.name())).toArray(Headers[]::new);
    fractionPerMillion = match.fractionPerMillion();
    this.random = random;
  }

  /** Whether it asks nothing at all. */
  boolean isTrivial() {
    return matchers.length == 0 && fractionPerMillion >= Fractions.MILLION;
  }

  boolean matches(Metadata metadata) {
    for (int i = 0; i < matchers.length; i++) {
      if (!matchers[i].matches(headers[i].read(metadata))) {
        return false;
      }
    }
    return fractionPerMillion >= Fractions.MILLION
        || random.nextLong(Fractions.MILLION) < fractionPerMillion;
  }
}
