// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.matcher.StringMatcher;
import dev.holdfast.xds.resources.matcher.StringMatcherDecoder;
import io.envoyproxy.envoy.type.v3.Int64Range;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decodes a header matcher of a route (gRFC A28, A63). */
final class HeaderMatcherDecoder {
  private HeaderMatcherDecoder() {}

  /** The matcher, or null after reporting what is wrong. */
  static @Nullable HeaderMatcher decode(
      io.envoyproxy.envoy.config.route.v3.HeaderMatcher proto,
      Decoding decoding,
      Problems problems) {
    HeaderMatcher.Test test = test(proto, decoding, problems);
    return test == null
        ? null
        : new HeaderMatcher(proto.getName().toLowerCase(Locale.ROOT), test, proto.getInvertMatch());
  }

  @SuppressWarnings("deprecation") // gRFC A63 keeps the older fields for the foreseeable future
  private static HeaderMatcher.@Nullable Test test(
      io.envoyproxy.envoy.config.route.v3.HeaderMatcher proto,
      Decoding decoding,
      Problems problems) {
    switch (proto.getHeaderMatchSpecifierCase()) {
      case EXACT_MATCH:
        return value(new StringMatcher.Exact(proto.getExactMatch(), false));
      case PREFIX_MATCH:
        return value(new StringMatcher.Prefix(proto.getPrefixMatch(), false));
      case SUFFIX_MATCH:
        return value(new StringMatcher.Suffix(proto.getSuffixMatch(), false));
      case CONTAINS_MATCH:
        return value(new StringMatcher.Contains(proto.getContainsMatch(), false));
      case SAFE_REGEX_MATCH:
        return value(
            StringMatcherDecoder.regex(
                proto.getSafeRegexMatch().getRegex(),
                decoding,
                problems.at("safe_regex_match").at("regex")));
      case STRING_MATCH:
        return value(
            StringMatcherDecoder.decode(
                proto.getStringMatch(), decoding, problems.at("string_match")));
      case RANGE_MATCH:
        return range(proto.getRangeMatch(), problems.at("range_match"));
      case PRESENT_MATCH:
        return new HeaderMatcher.Presence(proto.getPresentMatch());
      default:
        problems.required(
            "no kind of match (expected: string_match, range_match, present_match or one of the"
                + " older ones; newer ones are not supported)");
        return null;
    }
  }

  private static HeaderMatcher.@Nullable Test value(@Nullable StringMatcher matcher) {
    return matcher == null ? null : new HeaderMatcher.Value(matcher);
  }

  private static HeaderMatcher.@Nullable Test range(Int64Range proto, Problems problems) {
    if (proto.getEnd() < proto.getStart()) {
      problems
          .at("end")
          .invalid(
              proto.getEnd() + " (expected: at least start, which is " + proto.getStart() + ")");
      return null;
    }
    return new HeaderMatcher.Range(proto.getStart(), proto.getEnd());
  }
}
