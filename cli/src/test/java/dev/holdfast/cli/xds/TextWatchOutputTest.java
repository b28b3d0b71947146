// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.cli.output.Style;
import dev.holdfast.xds.client.Resource;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextWatchOutputTest {
  private static final ResourceKey KEY = new ResourceKey(TypeAlias.CLUSTER, "a");

  private final CapturedOutput captured = new CapturedOutput();
  private final TextWatchOutput output = output(Style.PLAIN);

  @Test
  void eachEventIsOneLine() {
    Message cluster = Cluster.newBuilder().setType(Cluster.DiscoveryType.EDS).build();

    output.resourceChanged(KEY, StatusOr.fromValue(new Resource<>("a", "7", cluster)));
    output.resourceChanged(KEY, StatusOr.fromValue(new Resource<>("a", "", cluster)));
    output.ambientError(KEY, Status.UNAVAILABLE.withDescription("gone"));
    output.ambientError(KEY, Status.OK);
    output.resourceChanged(KEY, StatusOr.fromStatus(Status.NOT_FOUND));

    assertThat(captured.lines())
        .containsExactly(
            "00:00:00.000  changed  cluster/a  version 7: EDS",
            "00:00:00.000  changed  cluster/a  EDS",
            "00:00:00.000  ambient  cluster/a  UNAVAILABLE: gone",
            "00:00:00.000  cleared  cluster/a  the ambient error is over",
            "00:00:00.000  failed   cluster/a  NOT_FOUND");
  }

  @Test
  void whatTheServerSaysCannotControlTheTerminal() {
    output.ambientError(KEY, Status.INTERNAL.withDescription("\u001b[2Jgone\nforged  line"));

    assertThat(captured.out())
        .isEqualTo("00:00:00.000  ambient  cluster/a  INTERNAL: \\u001b[2Jgone\\nforged  line\n");
  }

  @Test
  void onATerminalTheEventIsColoured() {
    output(Style.COLOURED).ambientError(KEY, Status.OK);

    assertThat(captured.out()).contains("\u001b[32mcleared\u001b[0m  cluster/a");
  }

  @Test
  void aDumpIsATable() {
    Instant time = Instant.parse("2029-12-31T23:59:00Z");
    output.dump(
        List.of(
            new Entry(
                "cluster",
                "a",
                "NACKED",
                "nacked_but_cached",
                "7",
                true,
                new Entry.Problem("INVALID_ARGUMENT", "no name"),
                time),
            new Entry("route", "r", "REQUESTED", "requested", null, false, null, null)));

    assertThat(captured.lines())
        .containsExactly(
            "TYPE     NAME  STATE      VERSION  AGE  ERROR",
            "cluster  a     NACKED     7        1m   INVALID_ARGUMENT: no name",
            "route    r     REQUESTED  -        -");
  }

  @Test
  void aDumpOfNothingSaysSo() {
    output.dump(List.of());

    assertThat(captured.out()).isEqualTo("no resources\n");
  }

  private TextWatchOutput output(Style style) {
    return new TextWatchOutput(
        captured.console(), captured.time(), new TextWatchOutput.Look(style, 80, ZoneOffset.UTC));
  }
}
