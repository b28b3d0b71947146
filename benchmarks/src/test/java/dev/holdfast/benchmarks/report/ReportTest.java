// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportTest {
  private static final Report REPORT =
      new Report(
          "holdfast",
          "grpc-xds 1.85.1",
          List.of("a machine"),
          List.of(
              new Row(
                  "cold",
                  "cold ingest",
                  Unit.MILLISECONDS,
                  new Samples(1, 2, 3),
                  new Samples(1000, 2000, 3000),
                  0.5),
              new Row("kept", "kept", Unit.BYTES, new Samples(1500), new Samples(1000), 1.0),
              new Row("alone", "alone", Unit.COUNT, new Samples(7), null, null)));

  @Test
  void theTableAlignsAndJudges() {
    assertThat(TextReport.render(REPORT))
        .isEqualTo(
            """
            a machine

            measure      unit  holdfast                  grpc-xds 1.85.1                           ratio     aim  verdict
            cold ingest  ms        2.00  [1.50 .. 2.50]         2,000.00  [1,500.00 .. 2,500.00]  0.0010  <= 0.5  met
            kept         B        1,500                            1,000                           1.500    <= 1  missed
            alone                     7                                -                               -       -  -
            """);
  }

  @Test
  void theDocumentHasTheSameNumbers() {
    JsonObject json = JsonParser.parseString(JsonReport.render(REPORT)).getAsJsonObject();

    JsonObject cold = json.getAsJsonArray("rows").get(0).getAsJsonObject();
    assertThat(cold.get("id").getAsString()).isEqualTo("cold");
    assertThat(cold.get("ratio").getAsDouble()).isEqualTo(0.001);
    assertThat(cold.get("verdict").getAsString()).isEqualTo("met");
    assertThat(cold.getAsJsonObject("peer").get("q3").getAsDouble()).isEqualTo(2500);
    JsonObject alone = json.getAsJsonArray("rows").get(2).getAsJsonObject();
    assertThat(alone.get("peer").isJsonNull()).isTrue();
    assertThat(alone.get("aim").isJsonNull()).isTrue();
  }
}
