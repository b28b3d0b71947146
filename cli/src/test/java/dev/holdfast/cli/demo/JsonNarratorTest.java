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
    assertThat(told(SampleReports.passed()))
        .isEqualTo(
            JsonParser.parseString(
                """
                {"passed": true, "envoy": "1.39.0", "admin": "http://127.0.0.1:20002",
                 "served": 13023, "failed": 0, "tookMillis": 31000, "planned": 1,
                 "steps": [{
                   "id": "step", "title": "A step", "passed": true,
                   "served": 13023, "failed": 0, "tookMillis": 1250,
                   "checks": [
                     {"check": "it is so", "passed": true, "afterMillis": 38},
                     {"check": "it always was", "passed": true, "afterMillis": 0}]}],
                 "diagnostics": []}
                """));
  }

  @Test
  void failedChecksAreInIt() {
    JsonObject told = told(SampleReports.failed());
    assertThat(told.get("passed").getAsBoolean()).isFalse();
    assertThat(told.getAsJsonArray("diagnostics")).hasSize(1);
  }
}
