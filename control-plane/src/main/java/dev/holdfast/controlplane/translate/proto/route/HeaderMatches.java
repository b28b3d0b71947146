// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.HeaderCondition;
import dev.holdfast.controlplane.translate.proto.Matchers;
import io.envoyproxy.envoy.config.route.v3.HeaderMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;

/** Header matchers. */
final class HeaderMatches {
  private static final String AUTHORITY = ":authority";
  private static final String WILDCARD = "*.";

  /**
   * Any printable character but a dot. The ranges are spelled out instead of using {@code ^}, which
   * would include all of Unicode: each instruction counts towards Envoy's limit for regular
   * expressions.
   */
  private static final String LABEL = "[!-\\-/-~]+";

  private HeaderMatches() {}

  static HeaderMatcher of(HeaderCondition condition) {
    HeaderMatcher.Builder matcher =
        HeaderMatcher.newBuilder()
            .setName(name(condition.name()))
            .setInvertMatch(condition.negated())
            .setTreatMissingHeaderAsEmpty(condition.missingIsEmpty());
    if (condition.match() == HeaderCondition.Match.PRESENT) {
      matcher.setPresentMatch(true);
    } else {
      matcher.setStringMatch(value(condition));
    }
    return matcher.build();
  }

  private static StringMatcher value(HeaderCondition condition) {
    StringMatcher.Builder matcher =
        StringMatcher.newBuilder().setIgnoreCase(condition.ignoreCase());
    switch (condition.match()) {
      case CONTAINS -> matcher.setContains(condition.value());
      case EXACT -> matcher.setExact(condition.value());
      case REGEX -> matcher.setSafeRegex(Matchers.regex(condition.value()));
      case PRESENT -> throw new IllegalArgumentException("match: PRESENT (expected: a value)");
    }
    return matcher.build();
  }

  /** In Envoy the host of a request is a pseudo-header, even if HTTP/1 sent it as a header. */
  private static String name(String written) {
    return written.equalsIgnoreCase("host") ? AUTHORITY : written;
  }

  static boolean isWildcard(String fqdn) {
    return fqdn.startsWith(WILDCARD);
  }

  /**
   * Restricts the asterisk of a host to one label, because that of a virtual host's domain matches
   * any number. The domain has matched the rest of the name, so that counting labels is enough: the
   * expression stays small for long names, and case and port do not matter.
   */
  static HeaderMatcher oneLabel(String fqdn) {
    long others = fqdn.chars().filter(c -> c == '.').count();
    return HeaderMatcher.newBuilder()
        .setName(AUTHORITY)
        .setStringMatch(Matchers.matching(LABEL + "(?:\\." + LABEL + "){" + others + "}"))
        .build();
  }
}
