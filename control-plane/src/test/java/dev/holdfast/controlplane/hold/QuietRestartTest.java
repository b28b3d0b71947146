// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.ReceivedResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that stops in good order and comes back has nothing to say to Envoys that are served.
 */
class QuietRestartTest {
  private static final TestCa.Identity IDENTITY = TestCa.create("test").issue("a.example.com");
  private static final String HTTPS = "ingress_https";

  private static final String SERVICE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: s, namespace: default}
      spec: {ports: [{name: http, port: 80}]}
      ---
      apiVersion: discovery.k8s.io/v1
      kind: EndpointSlice
      metadata: {name: s-1, namespace: default, labels: {kubernetes.io/service-name: s}}
      addressType: IPv4
      endpoints: [{addresses: [127.0.0.1], conditions: {ready: true}}]
      ports: [{name: http, port: 9999}]
      ---
      """;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingIsSentHoweverOftenItRestarts(boolean delta) {
    World world = serving(delta);
    FakeEnvoy envoy = world.envoy("e1");
    int before = envoy.received().size();
    for (int i = 0; i < 3; i++) {
      world.terminate();
      world.advance(Duration.ofSeconds(1));
      world.up().settle();
      assertThat(types(envoy, before)).isEmpty();
    }
    world.write(tls("c")).settle();
    assertThat(types(envoy, before)).contains(ResourceType.SECRET.typeUrl());
    assertWarm(envoy, "at the end");
  }

  @Test
  void aServerThatWasKilledSendsSecretsAgainToOneThatHasOneVersionForAll() {
    World world = serving(/* delta= */ false);
    FakeEnvoy envoy = world.envoy("e1");
    int before = envoy.received().size();
    world.kill();
    world.advance(Duration.ofSeconds(1));
    world.up().settle();
    assertThat(types(envoy, before)).isNotEmpty().containsOnly(ResourceType.SECRET.typeUrl());
  }

  @Test
  void whatWasWrittenDownIsNotTrustedAfterAKill() {
    World world = serving(/* delta= */ false);
    FakeEnvoy envoy = world.envoy("e1");
    world.terminate();
    world.up().settle();
    int before = envoy.received().size();
    world.kill();
    world.up().settle();
    assertThat(types(envoy, before)).isNotEmpty().containsOnly(ResourceType.SECRET.typeUrl());
  }

  /** It names the same version as before, and waits for what that was of. */
  @Test
  void anEnvoyThatLetGoOfASecretAndAsksForItAnewGetsItWheneverTheServerStops() {
    World reference = askingAnew();
    int steps = 0;
    while (reference.stepOrWait()) {
      steps++;
    }
    assertThat(steps).isGreaterThan(20);
    for (int at = 0; at <= steps; at++) {
      World world = askingAnew();
      for (int i = 0; i < at; i++) {
        world.stepOrWait();
      }
      world.terminate();
      world.advance(Duration.ofMillis(100));
      world.up().advance(Duration.ofSeconds(5)); // before Envoy would go on without it
      assertWarm(world.envoy("e1"), "after step " + at);
      assertWarm(world.envoy("e2"), "after step " + at);
    }
  }

  /**
   * The edit has just been seen that brings a host back, whose secret was let go of meanwhile. One
   * Envoy tries it out; what the other one is sent after that is there to stay.
   */
  private static World askingAnew() {
    World world = serving(/* delta= */ false);
    world.join("e2", /* delta= */ false);
    world.settle();
    world.delete(Objects.proxy("a")).settle();
    return world.write(tls("a"));
  }

  private static World serving(boolean delta) {
    World world = new World().up();
    world.join("e1", delta);
    world.write(SERVICE + tls("a") + "---\n" + tls("b")).settle();
    assertWarm(world.envoy("e1"), "at first");
    return world;
  }

  private static void assertWarm(FakeEnvoy envoy, String when) {
    assertThat(envoy.warmingListeners()).as(when).isEmpty();
    assertThat(envoy.activeListeners()).as(when).contains(HTTPS);
  }

  private static List<String> types(FakeEnvoy envoy, int after) {
    List<ReceivedResponse> all = envoy.received();
    return all.subList(after, all.size()).stream().map(ReceivedResponse::type).toList();
  }

  private static String tls(String name) {
    return """
    apiVersion: v1
    kind: Secret
    metadata: {name: %1$s, namespace: default}
    type: kubernetes.io/tls
    data: {tls.crt: %2$s, tls.key: %3$s}
    ---
    apiVersion: projectcontour.io/v1
    kind: HTTPProxy
    metadata: {name: %1$s, namespace: default}
    spec:
      virtualhost: {fqdn: %1$s.example.com, tls: {secretName: %1$s}}
      routes: [{services: [{name: s, port: 80}]}]
    """
        .formatted(name, base64(IDENTITY.certificatePem()), base64(IDENTITY.privateKeyPem()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
