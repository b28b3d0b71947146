// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The whole comparison, too small to mean anything. */
final class ServingSmokeTest {
  @Test
  void everythingIsMeasured() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    int exit = ServingMain.run(stream(out), stream(err), "--quick", "-o", "json");

    assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isZero();
    JsonArray array =
        JsonParser.parseString(out.toString(StandardCharsets.UTF_8))
            .getAsJsonObject()
            .getAsJsonArray("rows");
    Map<String, JsonElement> rows = new LinkedHashMap<>();
    array.forEach(row -> rows.put(row.getAsJsonObject().get("id").getAsString(), row));
    assertThat(rows)
        .containsKeys(
            "translation_20",
            "translation_20_allocated_p99",
            "change_to_ack_sotw_5",
            "change_to_ack_delta_20_p99",
            "fan_out_sotw",
            "fan_out_sotw_cached",
            "fan_out_sotw_bare",
            "fan_out_delta",
            "fan_out_delta_whole",
            "heap_per_stream_sotw",
            "heap_per_stream_delta_whole");
    assertThat(median(rows, "refused_sotw", "ours")).isEqualTo(1);
    assertThat(median(rows, "refused_sotw", "peer")).isGreaterThan(1);
    assertThat(median(rows, "refused_delta", "ours")).isEqualTo(1);
    assertThat(median(rows, "fan_out_sotw", "ours")).isPositive();
    assertThat(median(rows, "fan_out_sotw", "peer")).isPositive();
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }

  private static double median(Map<String, JsonElement> rows, String id, String side) {
    return requireNonNull(rows.get(id))
        .getAsJsonObject()
        .getAsJsonObject(side)
        .get("median")
        .getAsDouble();
  }
}
