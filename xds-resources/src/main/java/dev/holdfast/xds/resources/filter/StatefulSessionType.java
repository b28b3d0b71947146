// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Durations;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSession;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState;
import io.envoyproxy.envoy.type.http.v3.Cookie;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Session affinity by cookie (gRFC A55). */
final class StatefulSessionType implements HttpFilterType {
  private static final String COOKIE =
      "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState";
  private static final FilterConfig NO_SESSIONS = new FilterConfig.StatefulSession(null);

  @Override
  public String type() {
    return "envoy.extensions.filters.http.stateful_session.v3.StatefulSession";
  }

  @Override
  public String overrideType() {
    return "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute";
  }

  @Override
  public boolean runsOn(FilterSide side) {
    return side == FilterSide.CLIENT;
  }

  @Override
  public @Nullable FilterConfig decode(TypedConfig config, Decoding decoding, Problems problems) {
    StatefulSession proto = config.message(StatefulSession.parser(), problems);
    return proto == null ? null : session(proto, problems);
  }

  @Override
  public @Nullable FilterConfig decodeOverride(
      TypedConfig config, Decoding decoding, Problems problems) {
    StatefulSessionPerRoute proto = config.message(StatefulSessionPerRoute.parser(), problems);
    if (proto == null) {
      return null;
    }
    switch (proto.getOverrideCase()) {
      case DISABLED:
        if (!proto.getDisabled()) {
          problems.at("disabled").invalid("false (expected: true, or stateful_session)");
        }
        return NO_SESSIONS;
      case STATEFUL_SESSION:
        return session(proto.getStatefulSession(), problems.at("stateful_session"));
      default:
        problems.required("empty (expected: disabled or stateful_session)");
        return null;
    }
  }

  private static @Nullable FilterConfig session(StatefulSession proto, Problems problems) {
    if (!proto.hasSessionState()) {
      return NO_SESSIONS;
    }
    SessionCookie cookie =
        cookie(proto.getSessionState(), problems.at("session_state").at("typed_config"));
    return cookie == null ? null : new FilterConfig.StatefulSession(cookie);
  }

  private static @Nullable SessionCookie cookie(TypedExtensionConfig state, Problems problems) {
    TypedConfig config = TypedConfig.of(state.getTypedConfig(), problems);
    if (config == null) {
      return null;
    }
    if (!config.type().equals(COOKIE)) {
      problems.unsupported(Text.quote(config.type()) + " (expected: " + COOKIE + ")");
      return null;
    }
    CookieBasedSessionState proto = config.message(CookieBasedSessionState.parser(), problems);
    return proto == null ? null : cookie(proto.getCookie(), problems.at("cookie"));
  }

  private static @Nullable SessionCookie cookie(Cookie proto, Problems problems) {
    if (proto.getName().isEmpty()) {
      problems.at("name").required("not set (expected: the name of a cookie)");
    } else if (!isToken(proto.getName())) {
      problems.at("name").invalid(Text.quote(proto.getName()) + " (expected: letters and digits)");
    }
    if (!isAttribute(proto.getPath())) {
      problems
          .at("path")
          .invalid(Text.quote(proto.getPath()) + " (expected: no semicolon, printable ASCII)");
    }
    Duration ttl =
        proto.hasTtl() ? Durations.decode(proto.getTtl(), problems.at("ttl")) : Duration.ZERO;
    return ttl == null ? null : new SessionCookie(proto.getName(), proto.getPath(), ttl);
  }

  /** Whether a cookie can have that name (RFC 6265): another one would break the header. */
  private static boolean isToken(String name) {
    return name.chars().allMatch(c -> c > ' ' && c < 0x7f && "()<>@,;:\\\"/[]?={}".indexOf(c) < 0);
  }

  private static boolean isAttribute(String value) {
    return value.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != ';');
  }
}
