// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import static dev.holdfast.benchmarks.client.Contender.GRPC_XDS;
import static dev.holdfast.benchmarks.client.Contender.HOLDFAST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.client.Contender;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {
  private final List<String> log = new ArrayList<>();
  private final Rounds rounds =
      new Rounds(
          List.of(HOLDFAST, GRPC_XDS),
          /* warmups= */ 1,
          /* count= */ 2,
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));

  @Test
  void contendersTakeTurnsAndEachRoundBeginsWithAnother() {
    rounds.play("test", () -> log.add("|"), this::turn);

    assertThat(String.join(" ", log))
        .isEqualTo("| holdfast grpc-xds | grpc-xds holdfast | holdfast grpc-xds");
  }

  @Test
  void warmupsAreThrownAway() {
    var results = rounds.play("test", () -> {}, this::turn).map(Integer::doubleValue);

    assertThat(results.get(GRPC_XDS)).isNotNull();
    assertThat(results.get(GRPC_XDS).count()).isEqualTo(2);
    assertThat(results.get(GRPC_XDS).median()).isEqualTo(4.5); // third and sixth turn
  }

  @Test
  void whoeverIsExcludedTakesNoTurn() {
    var results =
        rounds.without(HOLDFAST).play("test", () -> {}, this::turn).map(Integer::doubleValue);

    assertThat(results).containsOnlyKeys(GRPC_XDS);
  }

  private Integer turn(Contender contender) {
    log.add(contender.text());
    return log.size();
  }
}
