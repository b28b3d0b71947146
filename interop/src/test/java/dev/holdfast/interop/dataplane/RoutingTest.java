// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.grpc.routing.ThreadSafeRandom;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Our control plane and our data plane: calls go where the objects say. */
@Execution(ExecutionMode.SAME_THREAD)
class RoutingTest {
  private static final String ROUTES =
      """
      routes:
        - conditions: [{prefix: /test.Cart}]
          services: [{name: two, port: 80, protocol: h2c}]
        - conditions: [{header: {name: x-tenant, exact: blue}}]
          services: [{name: two, port: 80, protocol: h2c}]
        - conditions: [{header: {name: x-old, notpresent: true}}, {prefix: /test.New}]
          services: [{name: two, port: 80, protocol: h2c}]
        - conditions: [{prefix: /test.Slow}]
          timeoutPolicy: {response: 300ms}
          services: [{name: slow, port: 80, protocol: h2c}]
        - services: [{name: one, port: 80, protocol: h2c}]
      """;
  private static final String WEIGHTS =
      """
      routes:
        - services:
            - {name: one, port: 80, protocol: h2c, weight: 80}
            - {name: two, port: 80, protocol: h2c, weight: 20}
      """;

  private static final Backend ONE = Backend.start("one");
  private static final Backend TWO = Backend.start("two");
  private static final Backend SLOW = Backend.start("slow");
  private static Plane plane;

  private final List<ManagedChannel> channels = new ArrayList<>();

  @BeforeAll
  static void start() {
    plane =
        Plane.start(
            "services.yaml",
            String.join(
                "---\n",
                Yaml.service("one", ONE.port()),
                Yaml.service("two", TWO.port()),
                Yaml.service("slow", SLOW.port())),
            "shop.yaml",
            Yaml.root("shop", "shop.example.com", ROUTES),
            "other.yaml",
            Yaml.root(
                "other",
                "other.example.com",
                "routes: [{services: [{name: two, port: 80, protocol: h2c}]}]"),
            "weights.yaml",
            Yaml.root("weights", "weights.example.com", WEIGHTS));
  }

  @AfterAll
  static void stop() {
    plane.close();
    List.of(ONE, TWO, SLOW).forEach(Backend::close);
  }

  @AfterEach
  void shutDown() throws InterruptedException {
    for (ManagedChannel channel : channels) {
      assertThat(channel.shutdownNow().awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static XdsBootstrap bootstrap() {
    return XdsBootstrap.builder()
        .nodeId(Stage.NODE)
        .server(ServerConfig.insecure("127.0.0.1:" + plane.xdsPort()))
        .build();
  }

  private ManagedChannel channel(String host) {
    return channel(host, AdsProtocol.SOTW);
  }

  private ManagedChannel channel(String host, AdsProtocol protocol) {
    return open(host, XdsOptions.of(bootstrap()).withProtocol(protocol));
  }

  private ManagedChannel open(String host, XdsOptions options) {
    ManagedChannel channel =
        HoldfastChannel.forTarget("xds:///" + host, InsecureChannelCredentials.create(), options)
            .build();
    channels.add(channel);
    return channel;
  }

  @ParameterizedTest
  @EnumSource
  void hostsHaveRoutesOfTheirOwn(AdsProtocol protocol) {
    assertThat(Rpc.call(channel("shop.example.com", protocol)).backend()).isEqualTo("one");
    assertThat(Rpc.call(channel("other.example.com", protocol)).backend()).isEqualTo("two");
    assertThat(TWO.lastAuthority()).isEqualTo("other.example.com");
  }

  @ParameterizedTest
  @CsvSource({
    "test.Shop/Who, x-none, y, one",
    "test.Cart/Add, x-none, y, two",
    "test.CartMore/Add, x-none, y, two",
    "test.Shop/Who, x-tenant, blue, two",
    "test.Shop/Who, x-tenant, bluer, one",
    "test.New/Who, x-none, y, two",
    "test.New/Who, x-old, y, one"
  })
  void pathsAndHeadersDecide(String method, String name, String value, String backend) {
    Rpc.Outcome outcome = Rpc.call(channel("shop.example.com"), method, Rpc.headers(name, value));
    assertThat(outcome).isEqualTo(new Rpc.Outcome(Status.OK, backend));
  }

  @Test
  void headersOfTheCallReachTheServer() {
    Rpc.call(channel("shop.example.com"), Rpc.METHOD, Rpc.headers("x-trace", "t1"));
    assertThat(ONE.lastHeader("x-trace")).isEqualTo("t1");
    assertThat(ONE.lastAuthority()).isEqualTo("shop.example.com");
  }

  @Test
  void weightsAreKeptWithinTheBoundsOfChance() {
    ManagedChannel channel =
        open(
            "weights.example.com",
            XdsOptions.of(bootstrap()).withRandom(ThreadSafeRandom.seeded(44)));
    Map<String, Integer> share = Rpc.share(channel, 2000);
    assertThat(share).containsOnlyKeys("one", "two");
    // 400 expected, with a standard deviation of 17.9: five of them either way.
    assertThat(share.get("two")).isBetween(310, 490);
  }

  @Test
  void routesHaveTimeouts() {
    SLOW.hold();
    long before = System.nanoTime();
    Rpc.Outcome outcome = Rpc.call(channel("shop.example.com"), "test.Slow/Who");
    SLOW.release();
    assertThat(outcome.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(300_000_000L);
  }

  @ParameterizedTest
  @EnumSource
  void hostThatNobodyHasIsToldAtOnceAndWhy(AdsProtocol protocol) {
    Rpc.Outcome outcome = Rpc.call(channel("missing.example.com", protocol));
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text())
        .contains(
            "LDS resource missing.example.com: ",
            "no object has the host missing.example.com",
            "node ID:" + Stage.NODE);
    // Whoever waits for the timer of 15 s is told in the client's own words.
    assertThat(outcome.text()).doesNotContain("did not send it");
  }

  @Test
  void plainBuilderWithOptionsIsEnoughThoughGrpcXdsIsThereToo() {
    ManagedChannel channel =
        Grpc.newChannelBuilder("xds:///other.example.com", InsecureChannelCredentials.create())
            .setNameResolverArg(XdsOptions.KEY, XdsOptions.of(bootstrap()))
            .build();
    channels.add(channel);
    // The resolver of grpc-xds would find no bootstrap.
    assertThat(Rpc.call(channel)).isEqualTo(new Rpc.Outcome(Status.OK, "two"));
  }
}
