// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a host that has TLS does without. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class PermitInsecureTest {
  private static final String HOST = "secure.example.com";
  private static final TestCa CA = TestCa.create("ca");

  private static Stage stage;
  private static Site site;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
    TestCa.Identity identity = CA.issue(HOST);
    stage.plane.write(
        "secret.yaml",
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: secure}
        type: kubernetes.io/tls
        data:
          tls.crt: %s
          tls.key: %s
        """
            .formatted(base64(identity.certificatePem()), base64(identity.privateKeyPem())));
    site =
        stage.root(
            HOST,
            "tls: {secretName: secure}",
            """
            routes:
            - services: [{name: one, port: 80}]
            - conditions: [{prefix: /open}]
              permitInsecure: true
              services: [{name: two, port: 80}]
            """);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void routesAreRedirectedToHttps() {
    Http.Response response = site.get("/a?b=c").send();

    assertThat(response.status()).isEqualTo(301);
    assertThat(response.header("location")).isEqualTo("https://secure.example.com/a?b=c");
  }

  @Test
  void theRedirectDropsThePortOfPlainHttp() {
    assertThat(site.as(HOST + ":8080").get("/a").send().header("location"))
        .isEqualTo("https://secure.example.com/a");
  }

  @Test
  void aRouteThatPermitsItIsServedWithoutTls() {
    assertThat(site.answers("/open")).isEqualTo("two");
  }

  @Test
  void allRoutesAreServedWithTls() {
    Site secure = new Site(stage.envoy.http("ingress_https").with(Tls.sni(HOST, CA)), HOST);

    assertThat(secure.answers("/")).isEqualTo("one");
    assertThat(secure.answers("/open")).isEqualTo("two");
  }
}
