// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Request;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken away from an Envoy that refuses a part of what its class runs: nothing. */
class OddSearchTest {
  private static final int OK = 200;
  private static final TestCa.Identity IDENTITY = TestCa.create("ca").issue(Objects.fqdn("secure"));
  private static final String SCRIPT =
      """
      ---
      apiVersion: holdfast.dev/v1alpha1
      kind: ExtensionPolicy
      metadata: {name: script}
      spec:
        targetRef: {name: other}
        httpFilters:
        - name: script
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua
            defaultSourceCode: {inlineString: "function envoy_on_request(h) end"}
      """;

  private final World world = new World().up();

  @AfterEach
  void close() {
    world.close();
  }

  private void serveTwoHosts(boolean delta) {
    for (int i = 1; i <= 3; i++) {
      world.join("e" + i, delta);
    }
    world.write(
        Objects.service("old", "10.0.0.1")
            + Objects.forward("shop", "old")
            + Objects.host("other", 201));
  }

  private static boolean serves(FakeEnvoy envoy, String name) {
    return envoy.route(Objects.fqdn(name), "/").status() == OK;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ifItRefusesItsOwnSelectionTooItKeepsThatUntilThereIsAnother(boolean delta) {
    serveTwoHosts(delta);
    FakeEnvoy odd =
        world.join(
            "odd",
            delta,
            resource ->
                resource instanceof Cluster cluster && cluster.getName().startsWith("default/new/")
                    ? "no such cluster"
                    : resource instanceof TypedExtensionConfig filter
                            && filter.getName().contains("script")
                            && filter.getTypedConfig().getTypeUrl().endsWith(".Lua")
                        ? "no such script"
                        : null);
    world.settle();
    world.write(Objects.service("new", "10.0.0.2") + Objects.forward("shop", "new")).settle();
    assertThat(odd.route(Objects.fqdn("shop"), "/").cluster()).startsWith("default/old/");

    world.watch = () -> assertThat(serves(odd, "shop")).as("served at all times").isTrue();
    odd.disconnect();
    world.write(SCRIPT).settle(); // it does not know that, and goes on with what it had

    assertThat(odd.route(Objects.fqdn("shop"), "/").cluster()).startsWith("default/old/");
    assertThat(odd.route(Objects.fqdn("other"), "/").status()).isEqualTo(201);
    assertThat(world.envoy("e1").route(Objects.fqdn("shop"), "/").cluster())
        .startsWith("default/new/");
    assertThat(world.held()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thoughWhatItRunsRefersToWhatWasDeletedItGetsLaterEdits(boolean delta) {
    for (int i = 1; i <= 3; i++) {
      world.join("e" + i, delta, resource -> null);
    }
    world.write(
        Objects.service("old", "10.0.0.1")
            + Objects.forward("shop", "old")
            + Objects.host("other", 201));
    FakeEnvoy odd = world.join("odd", delta);
    world.settle();

    world.write(Objects.host("other", Objects.UNSPEAKABLE));
    world.delete(new ObjectKey("Service", "default", "old")).settle();
    world.write(Objects.host("third", 203)).settle();

    assertThat(odd.route(Objects.fqdn("other"), "/").status()).isEqualTo(201);
    assertThat(odd.route(Objects.fqdn("third"), "/").status()).isEqualTo(203);
  }

  /** What its class got second changed nothing that the proxy runs: it is a difference like any. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatItLacksIsKnownAfterARestartHoweverManyThingsThatAre(boolean delta) {
    for (int i = 1; i <= 3; i++) {
      world.join("e" + i, delta, resource -> null);
    }
    world.write(Objects.host("one", 201) + Objects.host("two", 201) + Objects.host("three", 201));
    FakeEnvoy odd = world.join("odd", delta);
    world.settle();
    world.write(Objects.bad("one", 202)).settle();
    world.write(Objects.bad("two", 202)).settle();
    assertThat(odd.route(Objects.fqdn("two"), "/").status()).isEqualTo(201);

    world.kill();
    world.up().settle();
    world.write(Objects.host("three", 203)).settle();

    assertThat(odd.route(Objects.fqdn("one"), "/").status()).isEqualTo(201);
    assertThat(odd.route(Objects.fqdn("two"), "/").status()).isEqualTo(201);
    assertThat(odd.route(Objects.fqdn("three"), "/").status()).isEqualTo(203);
    assertThat(world.envoy("e1").route(Objects.fqdn("two"), "/").status()).isEqualTo(202);
  }

  /** Two edits in different resources: it refuses one of them, and what it has got stays. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLaterSearchTakesNothingAwayEither(boolean delta) {
    for (int i = 1; i <= 3; i++) {
      world.join("e" + i, delta, resource -> null);
    }
    world.write(Objects.host("one", 201) + secure("s1", 201) + secure("s2", 201));
    FakeEnvoy odd = world.join("odd", delta);
    world.settle();
    world.write(secure("s1", Objects.UNSPEAKABLE)).settle();
    assertThat(odd.route(secureRequest("s1")).status()).isEqualTo(201);

    boolean[] served = new boolean[1];
    world.watch =
        () -> {
          boolean now = odd.route(Objects.fqdn("two"), "/").status() == 203;
          assertThat(now || !served[0]).as("served once it is").isTrue();
          served[0] = now;
        };
    world.write(Objects.host("two", 203) + secure("s2", Objects.UNSPEAKABLE)).settle();

    assertThat(odd.route(Objects.fqdn("two"), "/").status()).isEqualTo(203);
    assertThat(odd.route(secureRequest("s2")).status()).isEqualTo(201);
    assertThat(world.envoy("e1").route(secureRequest("s2")).status())
        .isEqualTo(Objects.UNSPEAKABLE);
  }

  /** It may have got routes with TLS, and none without, when it comes back. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whereverItsConnectionBreaksWhileItStartsItGetsAllThatItAccepts(boolean delta) {
    for (int step = 0; step < 40; step++) {
      World other = new World().up();
      for (int i = 1; i <= 3; i++) {
        other.join("e" + i, delta, resource -> null);
      }
      other.write(Objects.host("one", 201) + Objects.bad("two", 202) + secure("s1", 203));
      other.settle();
      FakeEnvoy odd = other.join("odd", delta);
      int at = step;
      int[] steps = new int[1];
      other.watch =
          () -> {
            if (steps[0]++ == at) {
              odd.disconnect();
            }
          };
      other.settle();

      assertThat(odd.route(secureRequest("s1")).status()).as("step %d", step).isEqualTo(203);
      assertThat(odd.route(Objects.fqdn("one"), "/").status()).as("step %d", step).isEqualTo(201);
      other.close();
    }
  }

  private static Request secureRequest(String name) {
    return Request.of(Objects.fqdn(name), "/").sni(Objects.fqdn(name));
  }

  /** A host with TLS, whose routes are a resource of their own. */
  private static String secure(String name, int status) {
    return """
    ---
    apiVersion: v1
    kind: Secret
    metadata: {name: cert}
    type: kubernetes.io/tls
    data: {tls.crt: %1$s, tls.key: %2$s}
    ---
    apiVersion: projectcontour.io/v1
    kind: HTTPProxy
    metadata: {name: %3$s}
    spec:
      virtualhost: {fqdn: %4$s, tls: {secretName: cert}}
      routes: [{directResponsePolicy: {statusCode: %5$d}}]
    """
        .formatted(
            base64(IDENTITY.certificatePem()),
            base64(IDENTITY.privateKeyPem()),
            name,
            Objects.fqdn(name),
            status);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
