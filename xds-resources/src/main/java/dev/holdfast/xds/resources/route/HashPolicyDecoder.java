// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import com.google.re2j.Pattern;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatchAndSubstitute;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decodes a hash policy of a route (gRFC A42). */
final class HashPolicyDecoder {
  private static final String CHANNEL_ID_KEY = "io.grpc.channel_id";

  private HashPolicyDecoder() {}

  /** The policy; null after reporting a problem, and for a kind that never yields a hash. */
  static @Nullable HashPolicy decode(
      io.envoyproxy.envoy.config.route.v3.RouteAction.HashPolicy proto,
      Decoding decoding,
      Problems problems) {
    switch (proto.getPolicySpecifierCase()) {
      case HEADER:
        var header = proto.getHeader();
        HashPolicy.Rewrite rewrite =
            header.hasRegexRewrite()
                ? rewrite(
                    header.getRegexRewrite(), decoding, problems.at("header").at("regex_rewrite"))
                : null;
        return new HashPolicy.Header(
            header.getHeaderName().toLowerCase(Locale.ROOT), rewrite, proto.getTerminal());
      case FILTER_STATE:
        return proto.getFilterState().getKey().equals(CHANNEL_ID_KEY)
            ? new HashPolicy.ChannelId(proto.getTerminal())
            : null; // gRPC has no other filter state
      default:
        // Cookies, connection properties, query parameters and whatever is newer: gRFC A42 has
        // them yield no hash instead of rejecting the route, as Envoy would.
        return null;
    }
  }

  private static HashPolicy.@Nullable Rewrite rewrite(
      RegexMatchAndSubstitute proto, Decoding decoding, Problems problems) {
    if (!proto.hasPattern()) {
      problems.at("pattern").required("not set (expected: what to replace)");
      return null;
    }
    Pattern pattern =
        decoding
            .regexes()
            .compile(proto.getPattern().getRegex(), problems.at("pattern").at("regex"));
    if (pattern == null) {
      return null;
    }
    String replacement = replacement(proto.getSubstitution(), pattern.groupCount());
    if (replacement == null) {
      problems
          .at("substitution")
          .invalid(
              Text.quote(proto.getSubstitution())
                  + " (expected: \\0 to \\"
                  + Math.min(9, pattern.groupCount())
                  + " for groups of the pattern, \\\\ for a backslash)");
      return null;
    }
    return new HashPolicy.Rewrite(pattern, replacement);
  }

  /** From RE2's syntax ({@code \1}) to that of its Java port ({@code $1}); null if malformed. */
  private static @Nullable String replacement(String substitution, int groups) {
    StringBuilder out = new StringBuilder(substitution.length() + 8);
    int i = 0;
    while (i < substitution.length()) {
      char c = substitution.charAt(i++);
      if (c != '\\') {
        // Each literal is escaped, lest a digit prolong the number of the group before it.
        out.append('\\').append(c);
        continue;
      }
      char escaped = i < substitution.length() ? substitution.charAt(i++) : 0;
      if (escaped == '\\') {
        out.append("\\\\");
      } else if (escaped >= '0' && escaped <= '9' && escaped - '0' <= groups) {
        out.append('$').append(escaped);
      } else {
        return null;
      }
    }
    return out.toString();
  }
}
