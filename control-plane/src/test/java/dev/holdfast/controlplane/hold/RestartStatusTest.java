// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of objects is the same before and after a restart of the control plane. */
class RestartStatusTest {
  private static final TestCa CA = TestCa.create("test");
  private static final TestCa.Identity FIRST = CA.issue("first");
  private static final TestCa.Identity SECOND = CA.issue("second");
  private static final TestCa.Identity REFUSED = CA.issue("refused");
  private static final ObjectKey CERT = new ObjectKey("Secret", "default", "cert");
  private static final ObjectKey LENT = new ObjectKey("TLSCertificateDelegation", "certs", "lent");

  private final World world = new World().up();

  @BeforeEach
  void join() {
    world.join(
        "e",
        /* delta= */ true,
        Validator.on(
            Secret.class,
            secret ->
                secret
                        .getTlsCertificate()
                        .getCertificateChain()
                        .getInlineBytes()
                        .toStringUtf8()
                        .contains(REFUSED.certificatePem().strip())
                    ? "no such certificate"
                    : null));
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void restart(boolean readable) {
    world.kill();
    world.readable(readable).up().settle();
  }

  /** Until proxies have had time to come back, an old status may be shown for a new one. */
  private void restart() {
    restart(/* readable= */ true);
    world.advance(Duration.ofMinutes(2));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String secret(String key, TestCa.Identity identity) {
    return """
    ---
    apiVersion: v1
    kind: Secret
    metadata: {name: %2$s, namespace: %1$s}
    type: kubernetes.io/tls
    data: {tls.crt: %3$s, tls.key: %4$s}
    """
        .formatted(
            key.split("/", -1)[0],
            key.split("/", -1)[1],
            base64(identity.certificatePem()),
            base64(identity.privateKeyPem()));
  }

  private static String secure(String secret) {
    return """
    ---
    apiVersion: projectcontour.io/v1
    kind: HTTPProxy
    metadata: {name: web}
    spec:
      virtualhost: {fqdn: web.example.com, tls: {secretName: %s}}
      routes: [{directResponsePolicy: {statusCode: 201}}]
    """
        .formatted(secret);
  }

  private static String delegation(String namespaces) {
    return """
    ---
    apiVersion: projectcontour.io/v1
    kind: TLSCertificateDelegation
    metadata: {name: lent, namespace: certs}
    spec: {delegations: [{secretName: cert, targetNamespaces: %s}]}
    """
        .formatted(namespaces);
  }

  @Test
  void whatWasNeverServedIsNotServed() {
    world.write(Objects.host("web", 201)).settle();
    world
        .write(
            Objects.host("new", 200).replace("spec: {", "spec: {oops: 1, ")
                + Objects.service("s", "10.0.0.1").replace("ports:", "prots:"))
        .settle();
    assertThat(world.statuses())
        .containsEntry("HTTPProxy/new", "False/InvalidNew 0/1")
        .containsEntry("Service/s", "False/InvalidNew 0/1");

    restart();

    assertThat(world.statuses())
        .containsEntry("HTTPProxy/new", "False/InvalidNew 0/1")
        .containsEntry("Service/s", "False/InvalidNew 0/1");
  }

  @Test
  void aSecretThatProxiesHoldIsServedWhileItsFileCannotBeRead() {
    world.write(secure("cert") + secret("default/cert", FIRST)).settle();
    assertThat(world.said(CERT)).isEqualTo("True/Programmed 1/1");

    world.kill();
    world.delete(CERT);
    world.readable(false).up().settle();

    assertThat(world.said(CERT)).isEqualTo("True/Programmed 1/1");
    assertThat(world.said(Objects.proxy("web"))).isEqualTo("True/Programmed 1/1");
    world.advance(Duration.ofMinutes(2));
    assertThat(world.said(CERT)).isEqualTo("True/Programmed 1/1");
    assertThat(world.condition(CERT, "Source")).startsWith("False/Unreadable");

    restart(/* readable= */ false);
    assertThat(world.said(CERT)).isEqualTo("True/Programmed 1/1");
  }

  @Test
  void aSecretThatNothingUsesIsNotServedWhileItsFileCannotBeRead() {
    world.write(secure("cert") + secret("default/cert", FIRST)).settle();
    world.delete(Objects.proxy("web")).settle();
    assertThat(world.said(CERT)).isEqualTo("False/NotReferenced 0/1");

    world.kill();
    world.delete(CERT);
    world.readable(false).up().settle();

    assertThat(world.said(CERT)).isEqualTo("False/NotReferenced 0/1");
  }

  @Test
  void aSecretThatIsNotValidLeavesTheOneThatProxiesHold() {
    world.write(secure("cert") + secret("default/cert", FIRST)).settle();
    world.write(secret("default/cert", SECOND).replace("\ndata:", "\ndta:")).settle();
    assertThat(world.said(CERT)).isEqualTo("False/Invalid 1/2");

    restart();

    assertThat(world.said(CERT)).isEqualTo("False/Invalid 1/2");
    assertThat(world.held()).singleElement().asString().startsWith("cert@2");
  }

  @Test
  void aRefusedSecretIsHeld() {
    world.write(secure("cert") + secret("default/cert", FIRST)).settle();
    world.write(secret("default/cert", REFUSED)).settle();
    assertThat(world.said(CERT)).isEqualTo("False/Rejected 1/2");
    List<String> held = world.held();
    assertThat(held).singleElement().asString().startsWith("cert@2");

    restart();

    assertThat(world.said(CERT)).isEqualTo("False/Rejected 1/2");
    assertThat(world.held()).isEqualTo(held);
    world.write(secret("default/cert", SECOND)).settle();
    assertThat(world.said(CERT)).isEqualTo("True/Programmed 3/3");
    assertThat(world.held()).isEmpty();
  }

  @Test
  void aRefusedSecretThatWasRenewedMeanwhileIsServed() {
    world.write(secure("cert") + secret("default/cert", FIRST)).settle();
    world.write(secret("default/cert", REFUSED)).settle();
    world.kill();
    world.write(secret("default/cert", SECOND)).up().settle();

    assertThat(world.said(CERT)).isEqualTo("True/Programmed 3/3");
    assertThat(world.held()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDelegationIsInForceIfASecretOfItIsInUse(boolean isFirst) {
    String user = secret("certs/cert", FIRST) + secure("certs/cert");
    world.write(isFirst ? delegation("[default]") : user).settle();
    assertThat(world.said(isFirst ? LENT : Objects.proxy("web"))).endsWith(" 0/1");
    world.write(isFirst ? user : delegation("[default]")).settle();
    assertThat(world.said(LENT)).isEqualTo("True/Programmed 1/1");
    assertThat(world.said(Objects.proxy("web"))).isEqualTo("True/Programmed 1/1");

    world.write(delegation("['*']")).settle();
    assertThat(world.said(LENT)).isEqualTo("True/Programmed 2/2");

    world.write(delegation("[]")).settle();
    assertThat(world.said(LENT)).isEqualTo("False/Invalid 2/3");
    restart();
    assertThat(world.said(LENT)).isEqualTo("False/Invalid 2/3");

    world.write(delegation("[default, other]")).settle();
    assertThat(world.said(LENT)).isEqualTo("True/Programmed 4/4");
    restart();
    assertThat(world.said(LENT)).isEqualTo("True/Programmed 4/4");

    world.delete(Objects.proxy("web")).settle();
    assertThat(world.said(LENT)).isEqualTo("False/NotReferenced 0/4");
  }
}
