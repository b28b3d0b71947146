// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.demo.report.DemoSummary;
import org.junit.jupiter.api.Test;

/** The demo as programs read it. */
class JsonNarratorTest {
  private static JsonObject told(DemoSummary summary) {
    CapturedOutput captured = new CapturedOutput();
    SampleReports.to(new JsonNarrator(captured.console()), summary);
    return JsonParser.parseString(captured.out()).getAsJsonObject();
  }

  @Test
  void itIsOneDocument() {
    assertThat(told(SampleReports.held()))
        .isEqualTo(
            JsonParser.parseString(
                """
                {"held": true, "envoy": "1.39.0", "admin": "http://127.0.0.1:20002",
                 "served": 13023, "failed": 0, "tookMillis": 31000, "planned": 1,
                 "steps": [{
                   "id": "step", "title": "A step", "held": true,
                   "served": 13023, "failed": 0, "tookMillis": 1250,
                   "claims": [
                     {"claim": "it is so", "held": true, "afterMillis": 38},
                     {"claim": "it always was", "held": true, "afterMillis": 0}]}],
                 "trouble": []}
                """));
  }

  @Test
  void whatDidNotHoldIsInIt() {
    JsonObject told = told(SampleReports.unheld());
    assertThat(told.get("held").getAsBoolean()).isFalse();
    assertThat(told.getAsJsonArray("trouble")).hasSize(1);
  }
}
