// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static dev.holdfast.testkit.envoy.EnvoyResources.host;
import static dev.holdfast.testkit.envoy.EnvoyResources.impatientListener;
import static dev.holdfast.testkit.envoy.EnvoyResources.listener;
import static dev.holdfast.testkit.envoy.EnvoyResources.routes;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import dev.holdfast.interop.envoy.Proxy.Seen;
import dev.holdfast.testkit.ReservedPorts;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an Envoy does with listeners, good and bad; true of the real one and of the fake. */
@ParameterizedClass
@EnumSource(Bench.Kind.class)
class LdsScenariosTest {
  private final Bench bench;

  LdsScenariosTest(Bench.Kind kind) {
    bench = Bench.start(kind);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Two listeners of the same address cannot be. */
  private static Listener clashing(String name, int port) {
    Listener.Builder listener = listener(name, "routes").toBuilder();
    listener.getAddressBuilder().getSocketAddressBuilder().setPortValue(port);
    return listener.build();
  }

  @Test
  void goodListenersOfABadResponseAreTakenAndRemovalsHappen() {
    int port = ReservedPorts.next();
    bench.boot();
    bench.script.push(listener("gone", "routes")).acked();
    bench.proxy.awaitSeen("gone", "one.example", Seen.from("one"));

    String error =
        bench
            .script
            .push(
                TypeUrls.LISTENER,
                List.of(
                    clashing("first", port), clashing("second", port), listener("good", "routes")),
                List.of("gone"))
            .nacked();

    assertThat(error)
        .startsWith("Error adding/updating listener(s) second: ")
        .contains("duplicate address")
        .endsWith("\n");
    bench.proxy.awaitSeen("good", "one.example", Seen.from("one"));
    bench.proxy.awaitSeen("gone", "one.example", Seen.NOTHING);
    bench.proxy.awaitSeen("first", "one.example", Seen.from("one"));
  }

  @Test
  void theAnswerDoesNotWaitForTheListenerToWarm() {
    bench.boot();

    bench.script.push(listener("slow", "later")).acked();

    assertThat(bench.proxy.get("slow", "one.example")).isEqualTo(Seen.NOTHING);
    bench.script.push(routes("later", host("one.example", "two"))).acked();
    bench.proxy.awaitSeen("slow", "one.example", Seen.from("two"));
  }

  @Test
  void aChangedListenerWithTheSameRoutesDoesNotAskForThemAgain() {
    bench.boot();

    bench
        .script
        .push(
            listener("ingress", "routes").toBuilder()
                .setPerConnectionBufferLimitBytes(com.google.protobuf.UInt32Value.of(4096))
                .build())
        .acked();
    bench.script.push(routes("routes", host("one.example", "two"))).acked();

    bench.proxy.awaitSeen("ingress", "one.example", Seen.from("two"));
    assertThat(
            bench.script.asks().stream()
                .filter(ask -> ask.type().equals(TypeUrls.ROUTE_CONFIGURATION)))
        .hasSize(3); // the subscription and two answers
  }

  @Test
  void goingBackToTheListenerInForceGivesUpTheOneThatWarms() {
    bench.boot();
    bench.script.push(listener("ingress", "later")).acked();
    bench.script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "later");

    bench.script.push(listener("ingress", "routes")).acked();
    bench.script.push(routes("later", host("one.example", "two"))).verdict();

    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
  }

  @Test
  void whatCannotBeDecodedCostsTheWholeResponse() {
    bench.boot();

    String error =
        bench
            .script
            .push(
                TypeUrls.LISTENER,
                List.of(
                    listener("good", "routes"),
                    listener("bad", "routes").toBuilder()
                        .setListenerFiltersTimeout(Duration.newBuilder().setSeconds(-5))
                        .build()),
                List.of("ingress"))
            .nacked();

    assertThat(error).contains("Expected positive duration");
    assertThat(bench.proxy.get("ingress", "one.example")).isEqualTo(Seen.from("one"));
    assertThat(bench.proxy.get("good", "one.example")).isEqualTo(Seen.NOTHING);
  }

  @Test
  void listenersBeforeTheyAreAskedForAreDroppedWithoutAnAnswer() {
    Script.Push dropped = bench.script.push(listener("early", "routes"));

    bench.bootClusters();

    assertThat(dropped.isAnswered()).isFalse();
    assertThat(bench.proxy.get("early", "one.example")).isEqualTo(Seen.NOTHING);
  }

  @Test
  void routesThatDoNotComeInTimeMakeTheListenerLiveWithoutAny() {
    bench.bootClusters();
    bench.script.push(impatientListener("ingress", "routes")).acked();

    bench.proxy.awaitReady();

    bench.proxy.awaitSeen("ingress", "one.example", Seen.NO_ROUTE);
    assertThat(bench.proxy.stat("http.ingress.rds.routes.init_fetch_timeout")).isEqualTo(1);
  }
}
