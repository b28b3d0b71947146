// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.filter.SessionCookie;
import io.grpc.Metadata;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cookie of a session (gRFC A55, A60, A61). */
class SessionFilterTest {
  private static final SocketAddress ONE = SessionAddresses.parse("10.0.0.1:80").get(0);
  private static final SocketAddress SIX = SessionAddresses.parse("[::1]:80").get(0);

  private final SessionFilter filter =
      new SessionFilter(new SessionCookie("sid", "/shop", Duration.ofMinutes(2)));

  private static String encoded(String value) {
    return Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
  }

  private CallSession session(String... cookies) {
    Metadata headers = new Metadata();
    for (String cookie : cookies) {
      headers.put(Metadata.Key.of("cookie", Metadata.ASCII_STRING_MARSHALLER), cookie);
    }
    return requireNonNull(filter.of("/shop/Get", headers));
  }

  private static @Nullable String cookieFor(
      CallSession session, List<SocketAddress> served, String cluster) {
    session.session().goesTo(served);
    Metadata response = new Metadata();
    session.addCookie(cluster, response);
    return response.get(Metadata.Key.of("set-cookie", Metadata.ASCII_STRING_MARSHALLER));
  }

  @Test
  void cookieSaysWhereTheSessionIs() {
    CallSession session = session("sid=" + encoded("10.0.0.1:80;cart"));
    assertThat(session.session().wanted()).containsExactly(ONE);
    assertThat(session.cluster()).isEqualTo("cart");
  }

  @Test
  void severalAddressesAndClustersWithSemicolons() {
    CallSession session = session("sid=" + encoded("[::1]:80,10.0.0.1:80;a;b"));
    assertThat(session.session().wanted()).containsExactly(SIX, ONE);
    assertThat(session.cluster()).isEqualTo("a;b");
  }

  @Test
  void firstCookieOfTheNameCountsWhereverItStands() {
    assertThat(
            session(
                    "other=1; sidx=2",
                    "a=b;sid=\"" + encoded("10.0.0.1:80;c") + "\"; sid=" + encoded("10.0.0.2:80"))
                .session()
                .wanted())
        .containsExactly(ONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "host:80",
        "10.0.0.1",
        "10.0.0.1:",
        "10.0.0.1:99999",
        "10.0.0.1:x",
        ":80",
        "10.0.0.1:80,",
        "::1",
        "[::1]80"
      })
  void whatIsNotAListOfAddressesIsNoSession(String value) {
    CallSession session = session("sid=" + encoded(value + ";c"));
    assertThat(session.session().wanted()).isEmpty();
    assertThat(session.cluster()).isEmpty();
    assertThat(cookieFor(session, List.of(ONE), "c")).isNotNull();
  }

  @Test
  void whatIsNotBase64IsNoSession() {
    assertThat(session("sid=%%%").session().wanted()).isEmpty();
    assertThat(session().session().wanted()).isEmpty();
  }

  @Test
  void firstResponseSetsTheCookie() {
    assertThat(cookieFor(session(), List.of(ONE, SIX), "cart"))
        .isEqualTo(
            "sid="
                + encoded("10.0.0.1:80,[0:0:0:0:0:0:0:1]:80;cart")
                + "; Max-Age=120; Path=/shop; HttpOnly");
    assertThat(new SessionFilter(new SessionCookie("s", "", Duration.ZERO)).setCookie("a", "b"))
        .isEqualTo("s=" + encoded("a;b") + "; HttpOnly");
  }

  @Test
  void cookieIsSetAgainOnlyIfTheSessionHasMoved() {
    String cookie = "sid=" + encoded("10.0.0.1:80;cart");
    assertThat(cookieFor(session(cookie), List.of(ONE), "cart")).isNull();
    assertThat(cookieFor(session(cookie), List.of(SIX), "cart")).isNotNull();
    assertThat(cookieFor(session(cookie), List.of(ONE), "basket")).isNotNull();
    assertThat(cookieFor(session(cookie), List.of(), "cart")).as("went nowhere").isNull();
  }

  @Test
  void callsOfOtherPathsHaveNoSession() {
    assertThat(filter.of("/shopping/Get", new Metadata())).isNull();
    assertThat(filter.of("/Shop/Get", new Metadata())).isNull();
  }
}
