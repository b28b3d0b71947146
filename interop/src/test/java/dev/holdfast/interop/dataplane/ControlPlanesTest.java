// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.testkit.ReservedPorts;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our channel and control planes that others wrote: calls go on while one changes its mind, errs,
 * stalls and dies.
 */
@Execution(ExecutionMode.CONCURRENT)
class ControlPlanesTest {
  private final Backend one = Backend.start("one");
  private final Backend two = Backend.start("two");

  @AfterEach
  void stop() {
    one.close();
    two.close();
  }

  static List<Arguments> peersAndProtocols() {
    List<Arguments> all = new ArrayList<>();
    for (ControlPlane peer : ControlPlane.values()) {
      for (AdsProtocol protocol : AdsProtocol.values()) {
        all.add(Arguments.of(peer, protocol));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("peersAndProtocols")
  void callsFailWhileAClusterIsBadAndSucceedWhenTheServerGoesBack(
      ControlPlane peer, AdsProtocol protocol) throws Exception {
    try (LineProcess server = peer.start(ReservedPorts.next())) {
      XdsBootstrap bootstrap =
          XdsBootstrap.builder()
              .nodeId(Stage.NODE)
              .server(
                  ServerConfig.insecure(
                      "127.0.0.1:" + ControlPlane.port(server), ServerFeature.FAIL_ON_DATA_ERRORS))
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
      ControlPlane.set(server, "v1", "cluster", one);
      try (Calls calls = new Calls(channel)) {
        for (int i = 0; i < 3; i++) {
          awaitSuccess(calls);

          ControlPlane.set(server, "v2", "bad", one);
          int failures = calls.failures().size();
          Stage.await("calls fail", () -> calls.failures().size() > failures);
          calls.await(100);

          ControlPlane.set(server, "v1", "cluster", one);
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
  @MethodSource("peersAndProtocols")
  void noCallFailsWhateverItDoes(ControlPlane peer, AdsProtocol protocol) throws Exception {
    LineProcess server = peer.start(ReservedPorts.next());
    int port = ControlPlane.port(server);
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
    ControlPlane.set(server, "v1", "cluster", one);
    try (Calls calls = new Calls(channel)) {
      Stage.await("calls reach one", () -> calls.last().equals("one"));

      ControlPlane.set(server, "v2", "cluster", two);
      Stage.await("calls reach two", () -> calls.last().equals("two"));

      ControlPlane.set(server, "v3", "bad", two);
      calls.await(100);

      server.signal("STOP");
      calls.await(100);
      server.signal("CONT");
      ControlPlane.set(server, "v4", "cluster", one);
      Stage.await("calls reach one", () -> calls.last().equals("one"));

      server.kill();
      calls.await(100);
      server = peer.start(port);
      ControlPlane.port(server);
      ControlPlane.set(server, "v5", "cluster", two);
      Stage.await("calls reach two", () -> calls.last().equals("two"));

      assertThat(calls.failures()).isEmpty();
    } finally {
      channel.shutdownNow();
      server.close();
    }
  }

  /** A failure names its seed; {@code -Dtest.args=-Dholdfast.seed=SEED} runs that one. */
  @ParameterizedTest
  @MethodSource("peersAndProtocols")
  void noCallFailsWhateverItDoesInAnyOrder(ControlPlane peer, AdsProtocol protocol)
      throws Exception {
    long seed = Long.getLong("holdfast.seed", System.nanoTime());
    Random random = new Random(seed);
    LineProcess server = peer.start(ReservedPorts.next());
    int port = ControlPlane.port(server);
    ManagedChannel channel =
        HoldfastChannel.forTarget(
                "xds:///svc",
                InsecureChannelCredentials.create(),
                XdsOptions.of(
                        XdsBootstrap.builder()
                            .nodeId(Stage.NODE)
                            .server(ServerConfig.insecure("127.0.0.1:" + port))
                            .build())
                    .withProtocol(protocol)
                    .withBehaviour(Stage.PATIENT))
            .build();
    ControlPlane.set(server, "v0", "cluster", one);
    try (Calls calls = new Calls(channel)) {
      Stage.await("calls reach one", () -> calls.last().equals("one"));
      for (int i = 1; i <= 15; i++) {
        // A version that is bad is never good later, as a control plane names them.
        switch (random.nextInt(5)) {
          case 0 -> ControlPlane.set(server, "bad" + random.nextInt(2), "bad", one);
          case 1 -> {
            server.signal("STOP");
            calls.await(20);
            server.signal("CONT");
          }
          case 2 -> {
            server.kill();
            calls.await(20);
            server = peer.start(port);
            ControlPlane.port(server);
          }
          default -> {
            Backend next = random.nextBoolean() ? one : two;
            ControlPlane.set(server, "v" + next.name(), "cluster", next);
            Stage.await("calls reach it", () -> calls.last().equals(next.name()));
          }
        }
        calls.await(10);
      }
      ControlPlane.set(server, "vtwo", "cluster", two);
      Stage.await("calls reach two", () -> calls.last().equals("two"));
      assertThat(calls.failures()).isEmpty();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    } finally {
      channel.shutdownNow();
      server.close();
    }
  }

  /**
   * What a loop costs: go-control-plane answers each NACK with the same bytes over SotW. The client
   * is a process of its own, so that its CPU time is its own.
   */
  @ParameterizedTest
  @MethodSource("peersAndProtocols")
  void refusalsThatAreAnsweredAtOnceCostNextToNothing(ControlPlane peer, AdsProtocol protocol)
      throws Exception {
    try (LineProcess server = peer.start(ReservedPorts.next());
        LineProcess client =
            Processes.java(
                Map.of(),
                NackLoopMain.class,
                Integer.toString(ControlPlane.port(server)),
                protocol.name())) {
      ControlPlane.set(server, "v1", "cluster", one);
      client.await("a call", "called"::equals);
      ControlPlane.set(server, "v2", "bad", one);
      client.send("measure");
      String[] said = client.await("what it cost", line -> line.startsWith("nacks ")).split(" ");
      System.out.printf("%s, %s: %s%n", peer, protocol, String.join(" ", said));
      long nacks = Long.parseLong(said[1]);
      long cpuMillis = Long.parseLong(said[3]);
      long millis = Long.parseLong(said[5]);
      // Pauses begin with a tenth of a second and grow by 1.6 up to ten seconds.
      assertThat(nacks).isBetween(1L, 10 + millis / 10_000);
      assertThat(cpuMillis).isLessThan(millis / 2);
    }
  }
}
