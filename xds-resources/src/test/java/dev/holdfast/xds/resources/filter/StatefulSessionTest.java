// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** gRFC A55, the configuration. */
class StatefulSessionTest {
  private static final String COOKIE =
      "TYPE/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState";

  private static String state(String cookie) {
    return "session_state { name: 's' typed_config { ["
        + COOKIE
        + "] { cookie {"
        + cookie
        + "} } } }";
  }

  private static SessionCookie cookie(String cookie) {
    FilterConfig.StatefulSession session =
        (FilterConfig.StatefulSession) Filters.config(Filters.SESSION, state(cookie));
    if (session.cookie() == null) {
      throw new AssertionError("no cookie");
    }
    return session.cookie();
  }

  @Test
  void cookieHasANameAndMayHaveAPathAndATimeToLive() {
    assertThat(cookie("name: 'c'")).isEqualTo(new SessionCookie("c", "", Duration.ZERO));
    assertThat(cookie("name: 'c' path: '/a' ttl { seconds: 120 }"))
        .isEqualTo(new SessionCookie("c", "/a", Duration.ofMinutes(2)));
  }

  @Test
  void withoutAStateThereAreNoSessions() {
    assertThat(Filters.config(Filters.SESSION, ""))
        .isEqualTo(new FilterConfig.StatefulSession(null));
  }

  @Test
  void everyProblemIsToldInOrder() {
    assertThat(Filters.problems(Filters.SESSION, state("path: 'a;b' ttl { seconds: -1 }")))
        .containsExactly(
            "session_state.typed_config.cookie.name: not set (expected: the name of a cookie)",
            "session_state.typed_config.cookie.path: \"a;b\" (expected: no semicolon, printable"
                + " ASCII)",
            "session_state.typed_config.cookie.ttl: -1 s (expected: not negative)");
    assertThat(Filters.problems(Filters.SESSION, state("name: 'a=b'")))
        .containsExactly(
            "session_state.typed_config.cookie.name: \"a=b\" (expected: letters and digits)");
    assertThat(
            Filters.problems(
                Filters.SESSION, "session_state { typed_config { type_url: 'TYPE/acme.State' } }"))
        .containsExactly(
            "session_state.typed_config: \"acme.State\" (expected: " + COOKIE.substring(5) + ")");
  }

  @Test
  void overrideReplacesOrDisables() {
    assertThat(Filters.override(Filters.SESSION_PER_ROUTE, "disabled: true"))
        .isEqualTo(new FilterConfig.StatefulSession(null));
    assertThat(
            Filters.override(
                Filters.SESSION_PER_ROUTE, "stateful_session {" + state("name: 'd'") + "}"))
        .isEqualTo(new FilterConfig.StatefulSession(new SessionCookie("d", "", Duration.ZERO)));
    assertThat(Filters.overrideProblems(Filters.SESSION_PER_ROUTE, ""))
        .containsExactly(": empty (expected: disabled or stateful_session)");
    assertThat(Filters.overrideProblems(Filters.SESSION_PER_ROUTE, "disabled: false"))
        .containsExactly("disabled: false (expected: true, or stateful_session)");
    assertThat(
            Filters.overrideProblems(
                Filters.SESSION_PER_ROUTE, "stateful_session {" + state("") + "}"))
        .containsExactly(
            "stateful_session.session_state.typed_config.cookie.name: not set (expected: the name"
                + " of a cookie)");
  }

  @Test
  void messageForOnePlaceIsNotForTheOther() {
    assertThat(Filters.problems(Filters.SESSION_PER_ROUTE, "disabled: true"))
        .containsExactly(
            ": \"envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute\""
                + " (expected:"
                + " envoy.extensions.filters.http.stateful_session.v3.StatefulSession, not an"
                + " override)");
    assertThat(Filters.overrideProblems(Filters.SESSION, ""))
        .containsExactly(
            ": \"envoy.extensions.filters.http.stateful_session.v3.StatefulSession\" (expected:"
                + " envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute in"
                + " an override)");
  }

  @ParameterizedTest
  @CsvSource({
    "'', /a.B/C, true",
    "/, /a.B/C, true",
    "/a.B, /a.B/C, true",
    "/a.B/, /a.B/C, true",
    "/a.B/C, /a.B/C, true",
    "/a.B/C/, /a.B/C, false",
    "/a, /a.B/C, false",
    "/x, /a.B/C, false"
  })
  void pathsMatchAsThoseOfCookies(String path, String call, boolean matches) {
    assertThat(new SessionCookie("c", path, Duration.ZERO).isFor(call)).isEqualTo(matches);
  }
}
