// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Small numbers, to see that it works. */
class DataPlaneSmokeTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return DataPlaneMain.run(stream(out), stream(err), arguments);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }

  @Test
  void bothSidesAreMeasured() {
    int exit = run("--quick", "-o", "json");

    assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isZero();
    JsonObject json =
        JsonParser.parseString(out.toString(StandardCharsets.UTF_8)).getAsJsonObject();
    assertThat(json.getAsJsonArray("rows")).hasSize(15);
    for (JsonElement element : json.getAsJsonArray("rows")) {
      JsonObject row = element.getAsJsonObject();
      assertThat(row.has("ours") && row.has("peer")).as(row.toString()).isTrue();
    }
  }

  @Test
  void whatIsNotUnderstoodIsRefused() {
    assertThat(run("--fast")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: benchmarks/run data-plane");
  }
}
