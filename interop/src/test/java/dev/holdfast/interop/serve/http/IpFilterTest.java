// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may call, by address; all callers here are on loopback. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class IpFilterTest {
  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  private static Site onHost(String policy) {
    return stage.root(policy, "routes: [{services: [{name: one, port: 80}]}]");
  }

  @ParameterizedTest
  @CsvSource({
    "Peer, 127.0.0.0/8, one",
    "Peer, 127.0.0.1, one",
    "Peer, 127.0.0.2, 403",
    "Remote, 127.0.0.0/8, one",
    "Remote, 10.0.0.0/8, 403"
  })
  void aHostAllowsOnlyWhomItNames(String source, String cidr, String answer) {
    assertThat(
            onHost("ipAllowPolicy: [{source: %s, cidr: %s}]".formatted(source, cidr)).answers("/"))
        .isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource({
    "Peer, 127.0.0.0/8, 403",
    "Peer, 127.0.0.1, 403",
    "Peer, 127.0.0.2, one",
    "Remote, 127.0.0.0/8, 403",
    "Remote, 10.0.0.0/8, one"
  })
  void aHostDeniesWhomItNames(String source, String cidr, String answer) {
    assertThat(
            onHost("ipDenyPolicy: [{source: %s, cidr: %s}]".formatted(source, cidr)).answers("/"))
        .isEqualTo(answer);
  }

  @Test
  void oneOfSeveralRangesIsEnough() {
    Site site =
        onHost("ipAllowPolicy: [{source: Peer, cidr: 10.0.0.1}, {source: Peer, cidr: 127.0.0.1}]");

    assertThat(site.answers("/")).isEqualTo("one");
  }

  @Test
  void aClientCannotSayThatItIsSomebodyElse() {
    Site allow = onHost("ipAllowPolicy: [{source: Remote, cidr: 10.0.0.1}]");
    assertThat(allow.answers("/", "X-Forwarded-For", "10.0.0.1")).isEqualTo("403");

    Site deny = onHost("ipDenyPolicy: [{source: Remote, cidr: 127.0.0.1}]");
    assertThat(deny.answers("/", "X-Forwarded-For", "10.0.0.1")).isEqualTo("403");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Peer", "Remote"})
  void theSourceIsTheConnectionOrWhatIsSaidOfIt(String source) {
    Site site = onHost("ipAllowPolicy: [{source: %s, cidr: 127.0.0.1}]".formatted(source));

    assertThat(Dump.virtualHost(stage.admin(), site.host()).toString())
        .contains(source.equals("Peer") ? "\"direct_remote_ip\"" : "\"remote_ip\"");
  }

  @Test
  void aRouteDecidesInPlaceOfItsHost() {
    Site site =
        stage.root(
            "ipDenyPolicy: [{source: Peer, cidr: 127.0.0.1}]",
            """
            routes:
            - services: [{name: one, port: 80}]
            - conditions: [{prefix: /allow}]
              services: [{name: one, port: 80}]
              ipAllowPolicy: [{source: Peer, cidr: 127.0.0.1}]
            - conditions: [{prefix: /deny-other}]
              services: [{name: one, port: 80}]
              ipDenyPolicy: [{source: Remote, cidr: 10.0.0.0/8}]
            """);
    assertThat(site.answers("/")).isEqualTo("403");
    assertThat(site.answers("/allow")).isEqualTo("one");
    assertThat(site.answers("/deny-other")).isEqualTo("one");

    Site open =
        stage.routes(
            """
            - services: [{name: one, port: 80}]
            - conditions: [{prefix: /allow-other}]
              services: [{name: one, port: 80}]
              ipAllowPolicy: [{source: Remote, cidr: 10.0.0.0/8}]
            - conditions: [{prefix: /deny}]
              services: [{name: one, port: 80}]
              ipDenyPolicy: [{source: Peer, cidr: 127.0.0.0/8}]
            """);
    assertThat(open.answers("/")).isEqualTo("one");
    assertThat(open.answers("/allow-other")).isEqualTo("403");
    assertThat(open.answers("/deny")).isEqualTo("403");
  }
}
