// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Small numbers, to see that it works; the bound holds for these, too. */
class AttributionSmokeTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return AttributionMain.run(stream(out), stream(err), arguments);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }

  @Test
  void everyCaseIsWithinItsBound() {
    int exit = run("--quick", "-o", "json");

    assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isZero();
    JsonObject json =
        JsonParser.parseString(out.toString(StandardCharsets.UTF_8)).getAsJsonObject();
    assertThat(json.getAsJsonArray("pushes")).hasSize(6);
    for (JsonElement element : json.getAsJsonArray("pushes")) {
      JsonObject row = element.getAsJsonObject();
      assertThat(row.get("mostPushes").getAsInt())
          .as(row.toString())
          .isLessThanOrEqualTo(row.get("bound").getAsInt());
      assertThat(row.get("mostPushes").getAsInt() == 0)
          .as(row.toString())
          .isEqualTo(row.get("bad").getAsInt() == 0);
    }
    assertThat(json.getAsJsonArray("perPush")).hasSize(2);
  }

  @Test
  void peopleGetATable() {
    run("--quick");

    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("bound d(ceil(log2 n)+1): met", "per push of a search", "        10       3");
  }

  @Test
  void whatIsNotUnderstoodIsRefused() {
    assertThat(run("--seeds", "none")).isEqualTo(2);
    assertThat(run("--fast")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: benchmarks/run attribution");
  }
}
