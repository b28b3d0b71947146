// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.interop.peer.JavaControlPlaneMain;
import dev.holdfast.testkit.ReservedPorts;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Our channel and java-control-plane: calls go on while it changes its mind, errs, stalls and dies.
 */
@Execution(ExecutionMode.CONCURRENT)
class JavaControlPlaneTest {
  private final Backend one = Backend.start("one");
  private final Backend two = Backend.start("two");

  @AfterEach
  void stop() {
    one.close();
    two.close();
  }

  private static LineProcess server(int port) throws IOException {
    return Processes.java(Map.of(), JavaControlPlaneMain.class, Integer.toString(port));
  }

  private static int port(LineProcess server) throws InterruptedException {
    String line = server.await("the server's port", text -> text.startsWith("port "));
    return Integer.parseInt(line.substring("port ".length()));
  }

  private static void set(LineProcess server, String version, String cluster, Backend backend)
      throws IOException, InterruptedException {
    String snapshot =
        "%s listener svc=r route r=c %s c endpoint c=%d"
            .formatted(version, cluster, backend.port());
    server.send(snapshot);
    server.await("the snapshot to be set", line -> line.equals("set " + snapshot));
  }

  @ParameterizedTest
  @EnumSource
  void callsFailWhileAClusterIsBadAndSucceedWhenTheServerGoesBack(AdsProtocol protocol)
      throws Exception {
    try (LineProcess server = server(ReservedPorts.next())) {
      XdsBootstrap bootstrap =
          XdsBootstrap.builder()
              .nodeId(Stage.NODE)
              .server(
                  ServerConfig.insecure(
                      "127.0.0.1:" + port(server), ServerFeature.FAIL_ON_DATA_ERRORS))
              .build();
      AtomicInteger nacks = new AtomicInteger();
      XdsClientObserver counter =
          new XdsClientObserver() {
            @Override
            public void nackSent(
                ServerConfig to, ResourceType<?> type, String version, String detail) {
              nacks.incrementAndGet();
            }
          };
      ManagedChannel channel =
          HoldfastChannel.forTarget(
                  "xds:///svc",
                  InsecureChannelCredentials.create(),
                  XdsOptions.of(bootstrap)
                      .withProtocol(protocol)
                      .withBehaviour(Stage.PATIENT)
                      .withObserver(counter))
              .build();
      set(server, "v1", "cluster", one);
      try (Calls calls = new Calls(channel)) {
        for (int i = 0; i < 3; i++) {
          awaitSuccess(calls);

          set(server, "v2", "bad", one);
          int failures = calls.failures().size();
          Stage.await("calls fail", () -> calls.failures().size() > failures);
          calls.await(100);

          set(server, "v1", "cluster", one);
        }
        awaitSuccess(calls);
        assertThat(nacks.get()).isBetween(3, 100); // it refuses, and is not answered for ever
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private static void awaitSuccess(Calls calls) {
    Stage.await(
        "calls that succeed",
        () -> {
          int failures = calls.failures().size();
          calls.await(20);
          return calls.failures().size() == failures;
        });
  }

  @ParameterizedTest
  @EnumSource
  void noCallFailsWhateverItDoes(AdsProtocol protocol) throws Exception {
    LineProcess server = server(ReservedPorts.next());
    int port = port(server);
    XdsBootstrap bootstrap =
        XdsBootstrap.builder()
            .nodeId(Stage.NODE)
            .server(ServerConfig.insecure("127.0.0.1:" + port))
            .build();
    ManagedChannel channel =
        HoldfastChannel.forTarget(
                "xds:///svc",
                InsecureChannelCredentials.create(),
                XdsOptions.of(bootstrap).withProtocol(protocol).withBehaviour(Stage.PATIENT))
            .build();
    set(server, "v1", "cluster", one);
    try (Calls calls = new Calls(channel)) {
      Stage.await("calls reach one", () -> calls.last().equals("one"));

      set(server, "v2", "cluster", two);
      Stage.await("calls reach two", () -> calls.last().equals("two"));

      set(server, "v3", "bad", two);
      calls.await(100);

      server.signal("STOP");
      calls.await(100);
      server.signal("CONT");
      set(server, "v4", "cluster", one);
      Stage.await("calls reach one", () -> calls.last().equals("one"));

      server.kill();
      calls.await(100);
      server = server(port);
      port(server);
      set(server, "v5", "cluster", two);
      Stage.await("calls reach two", () -> calls.last().equals("two"));

      assertThat(calls.failures()).isEmpty();
    } finally {
      channel.shutdownNow();
      server.close();
    }
  }
}
