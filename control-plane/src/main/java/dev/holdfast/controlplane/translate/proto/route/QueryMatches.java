// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.QueryCondition;
import dev.holdfast.controlplane.translate.proto.Matchers;
import io.envoyproxy.envoy.config.route.v3.QueryParameterMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;

/** Query parameter matchers. */
final class QueryMatches {
  private QueryMatches() {}

  static QueryParameterMatcher of(QueryCondition condition) {
    QueryParameterMatcher.Builder matcher =
        QueryParameterMatcher.newBuilder().setName(condition.name());
    StringMatcher.Builder value = StringMatcher.newBuilder().setIgnoreCase(condition.ignoreCase());
    switch (condition.match()) {
      case PRESENT -> matcher.setPresentMatch(true);
      case EXACT -> matcher.setStringMatch(value.setExact(condition.value()));
      case PREFIX -> matcher.setStringMatch(value.setPrefix(condition.value()));
      case SUFFIX -> matcher.setStringMatch(value.setSuffix(condition.value()));
      case CONTAINS -> matcher.setStringMatch(value.setContains(condition.value()));
      case REGEX -> matcher.setStringMatch(value.setSafeRegex(Matchers.regex(condition.value())));
    }
    return matcher.build();
  }
}
