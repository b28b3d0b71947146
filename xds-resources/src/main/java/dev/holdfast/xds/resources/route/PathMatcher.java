// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import com.google.re2j.Pattern;

/** A test of the path of a call, {@code /package.Service/Method}. */
public sealed interface PathMatcher {

  /** Whether the path passes. */
  boolean matches(String path);

  /** The whole path. */
  record Exact(String path, boolean caseSensitive) implements PathMatcher {
    @Override
    public boolean matches(String candidate) {
      return caseSensitive ? candidate.equals(path) : candidate.equalsIgnoreCase(path);
    }
  }

  /** The beginning of the path; an empty one fits every path. */
  record Prefix(String prefix, boolean caseSensitive) implements PathMatcher {
    @Override
    public boolean matches(String candidate) {
      return candidate.regionMatches(!caseSensitive, 0, prefix, 0, prefix.length());
    }
  }

  /** The whole path, by RE2 syntax. */
  record Regex(Pattern pattern) implements PathMatcher {
    @Override
    public boolean matches(String candidate) {
      return pattern.matches(candidate);
    }
  }
}
