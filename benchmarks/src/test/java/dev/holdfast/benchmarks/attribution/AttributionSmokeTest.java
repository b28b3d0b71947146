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
  void aSecondProxyThatConfirmsAnEditCostsOneRoundTripAndNoPush() {
    run("--quick", "-o", "json");

    JsonObject json =
        JsonParser.parseString(out.toString(StandardCharsets.UTF_8)).getAsJsonObject();
    assertThat(json.getAsJsonArray("confirmation")).hasSize(8);
    for (JsonElement element : json.getAsJsonArray("confirmation")) {
      JsonObject row = element.getAsJsonObject();
      if (row.get("bad").getAsInt() == 0) {
        boolean isAlone = row.get("proxies").getAsInt() == 1;
        assertThat(cost(row, "confirmed", "roundTripsUntilCommitted"))
            .as(row.toString())
            .isEqualTo(cost(row, "alone", "roundTripsUntilCommitted") + (isAlone ? 0 : 1));
        assertThat(cost(row, "confirmed", "pushes"))
            .as(row.toString())
            .isEqualTo(row.get("proxies").getAsInt())
            .isEqualTo(cost(row, "alone", "pushes"));
      }
    }
  }

  private static int cost(JsonObject row, String which, String what) {
    return row.getAsJsonObject(which).get(what).getAsInt();
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
