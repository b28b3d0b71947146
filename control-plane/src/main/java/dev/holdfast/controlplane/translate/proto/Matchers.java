// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;

/** How strings are compared. */
public final class Matchers {
  private Matchers() {}

  /** A regular expression, which must match all of the text. */
  public static RegexMatcher regex(String regex) {
    return RegexMatcher.newBuilder().setRegex(regex).build();
  }

  /** The same text. */
  public static StringMatcher exact(String text) {
    return StringMatcher.newBuilder().setExact(text).build();
  }

  /** A text that the regular expression matches. */
  public static StringMatcher matching(String regex) {
    return StringMatcher.newBuilder().setSafeRegex(regex(regex)).build();
  }
}
