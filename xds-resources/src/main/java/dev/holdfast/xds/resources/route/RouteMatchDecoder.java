// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import com.google.re2j.Pattern;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Fractions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes what a route matches (gRFC A28). The matchers {@code grpc} and {@code tls_context} are
 * ignored: every call is gRPC, and the other may be supported one day.
 */
final class RouteMatchDecoder {
  private RouteMatchDecoder() {}

  /** The match, or null after reporting what is wrong. */
  static @Nullable RouteMatch decode(
      io.envoyproxy.envoy.config.route.v3.RouteMatch proto, Decoding decoding, Problems problems) {
    PathMatcher path = path(proto, decoding, problems);
    List<HeaderMatcher> headers = headers(proto, decoding, problems);
    int fraction = proto.hasRuntimeFraction() ? fraction(proto, problems) : Fractions.MILLION;
    return path == null ? null : new RouteMatch(path, headers, fraction);
  }

  private static @Nullable PathMatcher path(
      io.envoyproxy.envoy.config.route.v3.RouteMatch proto, Decoding decoding, Problems problems) {
    boolean caseSensitive = !proto.hasCaseSensitive() || proto.getCaseSensitive().getValue();
    switch (proto.getPathSpecifierCase()) {
      case PREFIX:
        return new PathMatcher.Prefix(proto.getPrefix(), caseSensitive);
      case PATH:
        return new PathMatcher.Exact(proto.getPath(), caseSensitive);
      case SAFE_REGEX:
        Pattern pattern =
            decoding
                .regexes()
                .compile(proto.getSafeRegex().getRegex(), problems.at("safe_regex").at("regex"));
        return pattern == null ? null : new PathMatcher.Regex(pattern);
      case PATHSPECIFIER_NOT_SET:
        problems.required("no path (expected: prefix, path or safe_regex)");
        return null;
      default:
        problems.unsupported(
            proto.getPathSpecifierCase() + " (expected: prefix, path or safe_regex)");
        return null;
    }
  }

  private static List<HeaderMatcher> headers(
      io.envoyproxy.envoy.config.route.v3.RouteMatch proto, Decoding decoding, Problems problems) {
    List<HeaderMatcher> headers = new ArrayList<>(proto.getHeadersCount());
    for (int i = 0; i < proto.getHeadersCount() && !Decoding.full(problems); i++) {
      HeaderMatcher header =
          HeaderMatcherDecoder.decode(proto.getHeaders(i), decoding, problems.at("headers", i));
      if (header != null) {
        headers.add(header);
      }
    }
    return headers;
  }

  /** gRPC has no runtime, so the default value is the value, and the key is ignored. */
  private static int fraction(
      io.envoyproxy.envoy.config.route.v3.RouteMatch proto, Problems problems) {
    Problems at = problems.at("runtime_fraction").at("default_value");
    if (!proto.getRuntimeFraction().hasDefaultValue()) {
      at.required("not set (expected: the fraction of calls that take the route)");
      return 0;
    }
    return Fractions.perMillion(proto.getRuntimeFraction().getDefaultValue(), at);
  }
}
