// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.matcher;

import com.google.re2j.Pattern;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import org.jspecify.annotations.Nullable;

/** Decodes {@code envoy.type.matcher.v3.StringMatcher}. */
public final class StringMatcherDecoder {
  private StringMatcherDecoder() {}

  /** The matcher, or null after reporting what is wrong. */
  public static @Nullable StringMatcher decode(
      io.envoyproxy.envoy.type.matcher.v3.StringMatcher proto,
      Decoding decoding,
      Problems problems) {
    boolean ignoreCase = proto.getIgnoreCase();
    switch (proto.getMatchPatternCase()) {
      case EXACT:
        return new StringMatcher.Exact(proto.getExact(), ignoreCase);
      case PREFIX:
        return new StringMatcher.Prefix(proto.getPrefix(), ignoreCase);
      case SUFFIX:
        return new StringMatcher.Suffix(proto.getSuffix(), ignoreCase);
      case CONTAINS:
        return new StringMatcher.Contains(proto.getContains(), ignoreCase);
      case SAFE_REGEX:
        return regex(
            proto.getSafeRegex().getRegex(), decoding, problems.at("safe_regex").at("regex"));
      case CUSTOM:
        problems.at("custom").unsupported("an extension (expected: a pattern of the API's own)");
        return null;
      default:
        problems.required(
            "no pattern (expected: exact, prefix, suffix, contains or safe_regex; newer ones are"
                + " not supported)");
        return null;
    }
  }

  /** A matcher by regular expression alone. */
  public static @Nullable StringMatcher regex(String regex, Decoding decoding, Problems problems) {
    Pattern pattern = decoding.regexes().compile(regex, problems);
    return pattern == null ? null : new StringMatcher.Regex(pattern);
  }
}
