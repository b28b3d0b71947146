// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our control plane and our data plane while objects change: no call fails. */
@Execution(ExecutionMode.SAME_THREAD)
class EditsTest {
  private static final int EDITS = Integer.getInteger("holdfast.edits", 10);

  private final Backend one = Backend.start("one");
  private final Backend two = Backend.start("two");
  private final Plane plane =
      Plane.start(
          "services.yaml",
          Yaml.service("one", one.port()) + "---\n" + Yaml.service("two", two.port()),
          "shop.yaml",
          shop("one"));

  @AfterEach
  void stop() {
    plane.close();
    one.close();
    two.close();
  }

  private static String shop(String service) {
    return Yaml.root(
        "shop",
        "shop.example.com",
        "routes: [{services: [{name: " + service + ", port: 80, protocol: h2c}]}]");
  }

  private ManagedChannel channel(AdsProtocol protocol) {
    XdsBootstrap bootstrap =
        XdsBootstrap.builder()
            .nodeId(Stage.NODE)
            .server(ServerConfig.insecure("127.0.0.1:" + plane.xdsPort()))
            .build();
    return HoldfastChannel.forTarget(
            "xds:///shop.example.com",
            InsecureChannelCredentials.create(),
            XdsOptions.of(bootstrap).withProtocol(protocol))
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void editsMoveCallsAndFailNone(AdsProtocol protocol) {
    ManagedChannel channel = channel(protocol);
    try (Calls calls = new Calls(channel)) {
      Stage.await("calls reach one", () -> calls.last().equals("one"));
      for (int edit = 1; edit <= EDITS; edit++) {
        String service = edit % 2 == 0 ? "one" : "two";
        plane.write("shop.yaml", shop(service));
        Stage.await("calls reach " + service, () -> calls.last().equals(service));
      }
      assertThat(calls.failures()).isEmpty();
    } finally {
      channel.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void badObjectsAmongGoodOnesDisturbNobody(AdsProtocol protocol) {
    ManagedChannel channel = channel(protocol);
    try (Calls calls = new Calls(channel)) {
      Stage.await("calls reach one", () -> calls.last().equals("one"));
      List<String> bad =
          List.of(
              "this is: [not an object",
              Yaml.root("bad", "bad.example.com", "routes: [{services: [{name: none, port: 80}]}]"),
              Yaml.root("bad", "bad.example.com", "routes: 7"),
              Yaml.root(
                  "thief", "shop.example.com", "routes: [{services: [{name: two, port: 80}]}]"));
      for (int i = 0; i < bad.size(); i++) {
        plane.write("bad-" + i + ".yaml", bad.get(i));
        // What comes after it is still served.
        String service = i % 2 == 0 ? "two" : "one";
        if (i < bad.size() - 1) {
          plane.write("shop.yaml", shop(service));
          Stage.await("calls reach " + service, () -> calls.last().equals(service));
        }
      }
      calls.await(200);
      assertThat(calls.failures()).isEmpty();
    } finally {
      channel.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void controlPlaneThatRestartsDisturbsNobody(AdsProtocol protocol) {
    ManagedChannel channel = channel(protocol);
    try (Calls calls = new Calls(channel)) {
      Stage.await("calls reach one", () -> calls.last().equals("one"));
      plane.down();
      calls.await(200);
      plane.write("shop.yaml", shop("two"));
      plane.up();
      Stage.await("calls reach two", () -> calls.last().equals("two"));
      assertThat(calls.failures()).isEmpty();
    } finally {
      channel.shutdownNow();
    }
  }
}
