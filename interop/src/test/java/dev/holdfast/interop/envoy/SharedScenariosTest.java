// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.filteredListener;
import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.luaFilter;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static dev.holdfast.testkit.envoy.EnvoyResources.secret;
import static dev.holdfast.testkit.envoy.EnvoyResources.tlsListener;
import static dev.holdfast.testkit.envoy.EnvoyResources.withLua;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an Envoy does with secrets and filters that come by name; true of the real one and of the
 * fake.
 */
@ParameterizedClass
@EnumSource(Bench.Kind.class)
class SharedScenariosTest {
  private final Bench bench;

  SharedScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static final String GOOD_LUA = "function envoy_on_request(handle) end";
  private static final String BROKEN_LUA = "function envoy_on_request(";
  private static final Secret BAD = secret("cert", "no certificate", "no key");

  private final TestCa ca = TestCa.create("test authority");

  private void bootTls() {
    bench.boot();
    bench.script.push(tlsListener("secure", "routes", "cert")).acked();
    bench.script.awaitSubscription(TypeUrls.SECRET, "cert");
  }

  @Test
  void aBadSecretIsRejectedOnceAndThenTakenForOldNews() {
    bootTls();
    bench.script.push(secret("cert", ca.issue("good"))).acked();

    assertThat(bench.script.push(BAD).nacked())
        .contains("Failed to load certificate chain from <inline>")
        .doesNotContain("cert\"");
    bench.script.push(BAD).acked();
  }

  @Test
  void aBadSecretIsStoredAndSpoilsLaterListeners() {
    bootTls();
    bench.script.push(secret("cert", ca.issue("good"))).acked();
    bench.script.push(BAD).nacked();

    assertThat(bench.script.push(tlsListener("later", "routes", "cert")).nacked())
        .contains("later: ")
        .contains("Failed to load certificate chain from <inline>");
  }

  private void bootFilter() {
    bench.boot();
    bench.script.push(filteredListener("filtered", "routes", "script")).acked();
    bench.script.awaitSubscription(TypeUrls.EXTENSION_CONFIG, "script");
  }

  @Test
  void aBadFilterIsRejectedOnceAndThenTakenForOldNews() {
    bootFilter();
    bench.script.push(luaFilter("script", GOOD_LUA)).acked();
    bench.proxy.awaitSeen("filtered", "one.example", Seen.from("one"));

    assertThat(bench.script.push(luaFilter("script", BROKEN_LUA)).nacked())
        .contains("script load error");
    bench.script.push(luaFilter("script", BROKEN_LUA)).acked();
    assertThat(bench.proxy.get("filtered", "one.example")).isEqualTo(Seen.from("one"));
  }

  @Test
  void aFirstFilterThatIsRejectedMakesTheListenerAnswerWithAnError() {
    bootFilter();

    bench.script.push(luaFilter("script", BROKEN_LUA)).nacked();

    bench.proxy.awaitSeen("filtered", "one.example", new Seen(500, ""));
    bench.script.push(luaFilter("script", GOOD_LUA)).acked();
    bench.proxy.awaitSeen("filtered", "one.example", Seen.from("one"));
  }

  @Test
  void aScriptThatNeverEndsGetsNoAnswer() {
    bench.boot();

    Script.Push push =
        bench.script.push(
            withLua(routes("routes", host("one.example", "one")), "while true do end"));

    org.awaitility.Awaitility.await()
        .dontCatchUncaughtExceptions()
        .during(java.time.Duration.ofMillis(300))
        .atMost(java.time.Duration.ofSeconds(60))
        .until(() -> !push.isAnswered());
  }
}
