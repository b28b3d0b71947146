// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;

/** String matchers. */
public final class Matchers {
  private Matchers() {}

  /** A regular expression that must match the whole text. */
  public static RegexMatcher regex(String regex) {
    return RegexMatcher.newBuilder().setRegex(regex).build();
  }

  /** Matches exactly this text. */
  public static StringMatcher exact(String text) {
    return StringMatcher.newBuilder().setExact(text).build();
  }

  /** Matches texts that the regular expression matches as a whole. */
  public static StringMatcher matching(String regex) {
    return StringMatcher.newBuilder().setSafeRegex(regex(regex)).build();
  }
}
