// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.xds.resources.filter.FilterConfig;
import dev.holdfast.xds.resources.filter.SessionCookie;
import dev.holdfast.xds.resources.listener.HttpFilter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Which cluster the calls of a session go to (gRFC A60). */
class SessionRoutesTest {
  private static final String SPLIT =
      """
      {"match": {"prefix": "/Split"}, "route": {"weighted_clusters": {"clusters": [
        {"name": "a", "weight": 1}, {"name": "b", "weight": 1}]}}},
      {"match": {"prefix": ""}, "route": {"cluster": "c"}}
      """;

  private final Routing it =
      new Routing()
          .filters(
              new HttpFilter(
                  "s",
                  new FilterConfig.StatefulSession(new SessionCookie("sid", "", Duration.ZERO))),
              new HttpFilter("router", new FilterConfig.Router()))
          .routes(SPLIT);

  private static String cookie(String value) {
    return "sid=" + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void clusterOfTheCookieGoesBeforeTheOneThatIsDrawn() {
    it.random.then(1, 0);
    RoutedCall call = it.routed("Split/M", "cookie", cookie("10.0.0.1:80;a"));
    assertThat(call.cluster()).isEqualTo("a");
    assertThat(requireNonNull(call.session()).wanted()).hasSize(1);
  }

  @Test
  void clusterThatTheRouteDoesNotHaveIsNotUsed() {
    it.random.then(1, 0);
    assertThat(it.routed("Split/M", "cookie", cookie("10.0.0.1:80;c")).cluster()).isEqualTo("b");
    assertThat(it.routed("S/M", "cookie", cookie("10.0.0.1:80;a")).cluster()).isEqualTo("c");
  }

  @Test
  void callWithoutACookieBeginsASession() {
    it.random.then(1, 0);
    RoutedCall call = it.routed("Split/M");
    assertThat(call.cluster()).isEqualTo("b");
    assertThat(requireNonNull(call.session()).wanted()).isEmpty();
  }

  @Test
  void callHoldsTheClusterThatItGoesTo() {
    it.random.then(1, 0);
    FakeCalls call = it.start("Split/M", "cookie", cookie("10.0.0.1:80;a"));
    it.routes("{\"match\": {\"prefix\": \"\"}, \"route\": {\"cluster\": \"c\"}}");
    assertThat(it.subscribed).containsExactlyInAnyOrder("a", "c");
    call.headers();
    assertThat(it.subscribed).containsExactly("c");
  }
}
