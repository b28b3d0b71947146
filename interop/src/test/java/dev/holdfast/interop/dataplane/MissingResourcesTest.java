// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What calls see of a server that says nothing, and of resources that are not there. */
@Execution(ExecutionMode.CONCURRENT)
class MissingResourcesTest {
  private final Stage stage = new Stage();
  private final Backend backend = stage.backend("one");

  @AfterEach
  void close() {
    stage.close();
  }

  private ManagedChannel channel(String target, AdsProtocol protocol, ServerFeature... features) {
    return stage.channelTo(
        target, options -> options.withProtocol(protocol).withBehaviour(Stage.QUICK), features);
  }

  private static void assertMissing(Rpc.Outcome outcome, StageType type, String resource) {
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text())
        .contains(type + " resource " + resource + ": does not exist: ", "node ID:" + Stage.NODE);
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.interop.dataplane.StageType#inBothProtocols")
  void silentServer(AdsProtocol protocol, StageType type) {
    stage.serveUpTo(type, backend);
    ManagedChannel channel = channel("svc", protocol);
    Rpc.Outcome outcome =
        Stage.awaitCall(
            channel, "timeout", o -> o.text().contains(type + " resource " + type.resource));
    assertMissing(outcome, type, type.resource);
    assertThat(outcome.text()).contains(stage.ads.uri() + " did not send it within 1 s");
    stage.serve(backend);
    Stage.awaitBackend(channel, backend);
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.interop.dataplane.StageType#inBothProtocols")
  void slowServerThatReportsWhatIsMissing(AdsProtocol protocol, StageType type) {
    stage.serveUpTo(type, backend);
    ManagedChannel channel =
        channel("svc", protocol, ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR);
    Rpc.Outcome outcome =
        Stage.awaitCall(
            channel, "timeout", o -> o.text().contains(type + " resource " + type.resource));
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text())
        .contains("timed out: xDS server " + stage.ads.uri() + " did not send it within 2 s");
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.interop.dataplane.StageType#inBothProtocols")
  void missingResource(AdsProtocol protocol, StageType type) {
    stage.serveUpTo(type, backend);
    stage.ads.remove(type.url, type.resource);
    ManagedChannel channel = channel("svc", protocol);
    Rpc.Outcome outcome =
        Stage.awaitCall(
            channel, "failure", o -> o.text().contains(type + " resource " + type.resource));
    assertMissing(outcome, type, type.resource);
    String how = protocol == AdsProtocol.DELTA ? "does not have it" : "did not send it";
    assertThat(outcome.text()).contains(stage.ads.uri() + " " + how);
    stage.serve(backend);
    Stage.awaitBackend(channel, backend);
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.interop.dataplane.StageType#inBothProtocols")
  void secondMissingResourceFailsItsOwnCallsOnly(AdsProtocol protocol, StageType type) {
    stage.serve(backend);
    if (type == StageType.LDS || type == StageType.RDS) {
      if (type == StageType.RDS) {
        stage.ads.set(Resources.apiListener("svc2", "r2"));
      }
      ManagedChannel good = channel("svc", protocol);
      ManagedChannel bad = channel("svc2", protocol);
      String missing = type == StageType.LDS ? "svc2" : "r2";
      Rpc.Outcome outcome = // on a busy machine, what leads to it may time out before
          Stage.awaitCall(bad, "failure", o -> o.text().contains(type + " resource " + missing));
      assertMissing(outcome, type, missing);
      Stage.awaitBackend(good, backend);
      return;
    }
    stage.ads.set(
        Xds.routes(
            "{\"match\": {\"prefix\": \"/test.Cart/\"}, \"route\": {\"cluster\": \"d\"}}",
            Xds.route("")));
    if (type == StageType.EDS) {
      stage.ads.set(Resources.edsCluster("d"));
    }
    ManagedChannel channel = channel("svc", protocol);
    Stage.awaitBackend(channel, backend);
    assertMissing(Rpc.call(channel, "test.Cart/Add"), type, "d");
    assertThat(Rpc.share(channel, 20)).containsOnlyKeys("one");
    stage.ads.set(Resources.edsCluster("d"), Resources.endpoints("d", backend.port()));
    Stage.await("both", () -> Rpc.call(channel, "test.Cart/Add").isOk());
  }
}
