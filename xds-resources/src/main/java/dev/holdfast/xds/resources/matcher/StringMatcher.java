// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.matcher;

import com.google.re2j.Pattern;
import java.util.Locale;

/** A test of one string (gRFC A63). */
public sealed interface StringMatcher {

  /** Whether the value passes. */
  boolean matches(String value);

  /** The whole value. */
  record Exact(String value, boolean ignoreCase) implements StringMatcher {
    @Override
    public boolean matches(String candidate) {
      return ignoreCase ? candidate.equalsIgnoreCase(value) : candidate.equals(value);
    }
  }

  /** The beginning of the value. */
  record Prefix(String value, boolean ignoreCase) implements StringMatcher {
    @Override
    public boolean matches(String candidate) {
      return candidate.regionMatches(ignoreCase, 0, value, 0, value.length());
    }
  }

  /** The end of the value. */
  record Suffix(String value, boolean ignoreCase) implements StringMatcher {
    @Override
    public boolean matches(String candidate) {
      int from = candidate.length() - value.length();
      return candidate.regionMatches(ignoreCase, from, value, 0, value.length());
    }
  }

  /** Any part of the value. If case is ignored, {@code value} is in lower case. */
  record Contains(String value, boolean ignoreCase) implements StringMatcher {
    public Contains {
      value = ignoreCase ? value.toLowerCase(Locale.ROOT) : value;
    }

    @Override
    public boolean matches(String candidate) {
      return (ignoreCase ? candidate.toLowerCase(Locale.ROOT) : candidate).contains(value);
    }
  }

  /** The whole value, by RE2 syntax. Has no {@code ignore_case}: gRFC A63 ignores it here. */
  record Regex(Pattern pattern) implements StringMatcher {
    @Override
    public boolean matches(String candidate) {
      return pattern.matches(candidate);
    }
  }
}
