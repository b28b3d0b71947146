// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.cli.output.Style;
import dev.holdfast.demo.report.DemoSummary;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo as people read it. */
class TextNarratorTest {
  private final CapturedOutput captured = new CapturedOutput();
  private final AtomicInteger waits = new AtomicInteger();

  private String told(Style style, int width, DemoSummary summary) {
    TextPage page = new TextPage(captured.console(), style, width);
    SampleReports.to(new TextNarrator(page, waits::incrementAndGet), summary);
    return captured.out();
  }

  @Test
  void whatHeldIsTickedAndTimed() {
    assertThat(told(Style.PLAIN, 80, SampleReports.held()).lines())
        .contains(
            "  ✓ it is so                                                               38 ms",
            "  ✓ it always was",
            "    gRPC client    12,345 calls served, 0 failed",
            "    through Envoy     678 calls served, 0 failed                           1.3 s",
            "  ✓ 1 step, 2 claims, all of them so",
            "  ✓ 13,023 calls served, 0 failed                                         31.0 s");
  }

  @Test
  void theSearchIsAPicture() {
    assertThat(told(Style.PLAIN, 80, SampleReports.held()).lines())
        .contains(
            "    ■■■■■■■■■■  10 changes  refused                                   after 0 ms",
            "    ■·········   1 change   accepted                                 after 1.2 s");
  }

  @Test
  void whatDidNotHoldIsCrossedAndExplained() {
    assertThat(told(Style.PLAIN, 80, SampleReports.unheld()))
        .contains(
            "  ✗ no call failed",
            "  ✗ step 1 of 8 did not hold",
            "  ✗ 13,023 calls served, 1 failed",
            "the first call that failed: \\u001b[31mno");
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 200})
  void itFitsTheTerminalAndIsNeverWiderThanEightyColumns(int width) {
    assertThat(told(Style.PLAIN, width, SampleReports.held()).lines())
        .allSatisfy(
            line ->
                assertThat(line.codePointCount(0, line.length()))
                    .isLessThanOrEqualTo(Math.min(width, 80)));
  }

  @Test
  void inAPipeThereIsNoColourAndWhatOthersWroteIsHarmless() {
    assertThat(told(Style.PLAIN, 80, SampleReports.held()))
        .doesNotContain("\u001b")
        .contains("\\u001b[31mno");
  }

  @Test
  void onATerminalThereIsAndNothingElseDiffers() {
    String coloured = told(Style.COLOURED, 80, SampleReports.held());
    assertThat(coloured).contains("\u001b[32m✓\u001b[0m");
    CapturedOutput plain = new CapturedOutput();
    SampleReports.to(
        new TextNarrator(new TextPage(plain.console(), Style.PLAIN, 80), () -> {}),
        SampleReports.held());
    assertThat(coloured.replaceAll("\u001b\\[[0-9]*m", "")).isEqualTo(plain.out());
  }

  @Test
  void itWaitsBeforeEachStepIfItIsToldTo() {
    told(Style.PLAIN, 80, SampleReports.held());
    assertThat(waits).hasValue(1);
  }
}
