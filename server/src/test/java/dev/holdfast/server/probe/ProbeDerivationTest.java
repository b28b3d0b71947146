// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The request that a route is asked with follows from its conditions. */
class ProbeDerivationTest {
  private static List<RouteProbe> probes(String routes) {
    return probes(routes, cluster -> true);
  }

  private static List<RouteProbe> probes(String routes, Predicate<String> isReachable) {
    RouteConfiguration.Builder builder = RouteConfiguration.newBuilder();
    try {
      JsonFormat.parser()
          .merge(
              "{virtual_hosts: [{name: h, domains: ['a.example.com'], routes: [" + routes + "]}]}",
              builder);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
    return ProbeDerivation.of(builder.build(), /* isTls= */ false, isReachable);
  }

  private static String request(String match) {
    RouteProbe probe = probes("{match: {" + match + "}, route: {cluster: c}}").get(0);
    return probe.request() == null ? probe.reason() : probe.request().toString();
  }

  @Test
  void paths() {
    assertThat(request("prefix: '/'")).isEqualTo("GET http://a.example.com/");
    assertThat(request("prefix: '/cart'")).isEqualTo("GET http://a.example.com/cart");
    assertThat(request("path: '/one'")).isEqualTo("GET http://a.example.com/one");
    assertThat(request("path_separated_prefix: '/s'")).isEqualTo("GET http://a.example.com/s");
    assertThat(request("safe_regex: {regex: '/r/[0-9]+'}"))
        .isEqualTo("GET http://a.example.com/r/1");
    assertThat(request("safe_regex: {regex: '(?i)/r'}"))
        .isEqualTo("no request is found for its conditions");
    assertThat(request("path: '/with space'")).isEqualTo("no request is found for its conditions");
  }

  @Test
  void headersMethodsAndParameters() {
    assertThat(
            request(
                """
                prefix: '/', headers: [
                  {name: ':method', string_match: {exact: POST}},
                  {name: X-Exact, string_match: {exact: one}},
                  {name: x-contains, string_match: {contains: two}},
                  {name: x-regex, string_match: {safe_regex: {regex: 'v[1-3]'}}},
                  {name: x-present, present_match: true},
                  {name: x-absent, present_match: true, invert_match: true},
                  {name: x-not, string_match: {exact: three}, invert_match: true}],
                query_parameters: [
                  {name: q, string_match: {prefix: four}}, {name: p, present_match: true}]
                """))
        .isEqualTo(
            "POST http://a.example.com/?q=four&p=1 (x-contains: two, x-exact: one,"
                + " x-not: holdfast-probe, x-present: 1, x-regex: v1)");
    assertThat(
            request(
                """
                prefix: '/', headers: [
                  {name: x, string_match: {contains: one}}, {name: x, string_match: {contains: two}}]
                """))
        .isEqualTo("no request is found for its conditions");
  }

  @Test
  void whatIsMoreSpecialIsAvoided() {
    List<RouteProbe> probes =
        probes(
            """
            {match: {path: '/'}, route: {cluster: c}},
            {match: {prefix: '/'}, route: {cluster: c}},
            {match: {path: '/late'}, route: {cluster: c}}
            """);

    assertThat(String.valueOf(probes.get(0).request())).isEqualTo("GET http://a.example.com/");
    assertThat(String.valueOf(probes.get(1).request()))
        .isEqualTo("GET http://a.example.com/holdfast-probe");
    assertThat(probes.get(2).request()).isNull();
    assertThat(probes.get(2).isShadowed()).isTrue();
    assertThat(probes.get(2).reason()).isEqualTo("routes[1]");
  }

  @Test
  void whatAnswersItself() {
    List<RouteProbe> probes =
        probes(
            """
            {match: {path: '/a'}, direct_response: {status: 503}},
            {match: {path: '/b'}, redirect: {https_redirect: true}},
            {match: {path: '/c'}, non_forwarding_action: {}}
            """);

    assertThat(probes.get(0).expected()).isEqualTo(RouteProbe.Expected.ANSWER);
    assertThat(probes.get(0).status()).isEqualTo(503);
    assertThat(probes.get(1).expected()).isEqualTo(RouteProbe.Expected.REDIRECT);
    assertThat(probes.get(2).reason()).isEqualTo("it forwards nothing");
    assertThat(probes.get(2).path()).isEqualTo("virtual_hosts[0].routes[2]");
  }

  @Test
  void whatCannotReachTheSink() {
    assertThat(
            probes("{match: {prefix: '/'}, route: {cluster: c}}", cluster -> false).get(0).reason())
        .isEqualTo("the connection to its backends is encrypted");
    assertThat(request("prefix: '/', runtime_fraction: {default_value: {numerator: 1}}"))
        .isEqualTo("its conditions are not about the request alone");
  }
}
