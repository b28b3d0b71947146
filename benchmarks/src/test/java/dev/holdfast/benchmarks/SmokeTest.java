// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The whole comparison, too small to mean anything. */
final class SmokeTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void everyRowHasBothSides() {
    int exit = run("--clusters", "50", "--rounds", "1", "--warmups", "1", "-o", "json");

    assertThat(exit).as(text(err)).isZero();
    JsonArray rows = JsonParser.parseString(text(out)).getAsJsonObject().getAsJsonArray("rows");
    assertThat(StreamSupport.stream(rows.spliterator(), false).map(row -> string(row, "id")))
        .containsExactly(
            "cold_ingest",
            "cold_ingest_cpu",
            "cold_ingest_allocated",
            "cold_ingest_delta",
            "cold_ingest_fresh_jvm",
            "cold_ingest_fresh_jvm_delta",
            "one_changed",
            "one_changed_cpu",
            "one_changed_allocated",
            "one_changed_delta",
            "unchanged",
            "retained",
            "retained_delta",
            "more_watches",
            "more_watches_delta",
            "more_watches_requests",
            "more_watches_names",
            "more_watches_names_delta",
            "more_watches_bytes",
            "endpoint_push",
            "endpoint_push_delta",
            "wire_floor");
    for (JsonElement row : rows) {
      boolean alone = string(row, "id").equals("wire_floor");
      assertThat(median(row, "ours")).as("%s", row).isPositive();
      assertThat(alone || median(row, "peer") > 0).as("%s", row).isTrue();
    }
    assertThat(
            StreamSupport.stream(rows.spliterator(), false)
                .filter(row -> !row.getAsJsonObject().get("aim").isJsonNull())
                .map(row -> string(row, "id") + " " + string(row, "aim")))
        .containsExactly(
            "cold_ingest 0.5", "cold_ingest_fresh_jvm 0.5", "one_changed 0.05", "retained 1.0");
  }

  @Test
  void oneClientCanBeMeasuredAlone() {
    int exit = run("--clusters", "20", "--rounds", "1", "--warmups", "0", "--only", "grpc-xds");

    assertThat(exit).as(text(err)).isZero();
    assertThat(text(out)).contains("cold ingest of 20 clusters", "4 watches added to 20");
    assertThat(text(out)).doesNotContain("met").doesNotContain("missed");
  }

  @Test
  void badArgumentsExitWithTwo() {
    assertThat(run("--clusters", "many")).isEqualTo(2);
    assertThat(text(err)).startsWith("--clusters: many (expected: a number from 5 to 100000)\n");
    assertThat(text(out)).isEmpty();
  }

  private int run(String... arguments) {
    return Main.run(stream(out), stream(err), arguments);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, /* autoFlush= */ true, StandardCharsets.UTF_8);
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static String string(JsonElement row, String field) {
    return row.getAsJsonObject().get(field).getAsString();
  }

  private static double median(JsonElement row, String side) {
    JsonObject samples = row.getAsJsonObject().getAsJsonObject(side);
    return samples.get("median").getAsDouble();
  }
}
