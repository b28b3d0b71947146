// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import dev.holdfast.cli.demo.TextPage.Span;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.demo.controlplane.Incident;
import dev.holdfast.demo.controlplane.ObjectState;
import dev.holdfast.demo.report.CheckResult;
import dev.holdfast.demo.report.DemoSetup;
import dev.holdfast.demo.report.DemoSummary;
import dev.holdfast.demo.report.Narrator;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.report.StepReport;
import dev.holdfast.demo.traffic.CallCounts;
import java.util.Iterator;
import java.util.Map;

/** Tells the demo to people. */
final class TextNarrator implements Narrator {
  private static final int LABELS = 15;

  private final TextPage page;
  private final Runnable beforeEachStep;

  TextNarrator(TextPage page, Runnable beforeEachStep) {
    this.page = page;
    this.beforeEachStep = beforeEachStep;
  }

  @Override
  public void starts(String what) {
    page.paragraph(Colour.FAINT, "starting " + what);
  }

  @Override
  public void opens(DemoSetup setting) {
    page.blank();
    page.title("Holdfast");
    page.blank();
    page.paragraph(
        Colour.NONE,
        "Ten teams share the host shop.example.com: ten gRPC services, and ten files that say where"
            + " their calls go. A control plane serves them to a gRPC client that needs no proxy"
            + (setting.envoy().isEmpty() ? "" : ", and to an Envoy with a client behind it")
            + ". Each client makes some 200 calls per second and never stops. Watch the failed"
            + " ones.");
    page.blank();
    page.entry(
        "control plane",
        LABELS,
        "process " + setting.pid() + ", xDS on 127.0.0.1:" + setting.xdsPort());
    page.entry("console", LABELS, setting.admin() + "/");
    page.entry("files", LABELS, setting.objects());
    page.entry(
        "Envoy",
        LABELS,
        setting.envoy().isEmpty() ? "none (--fetch-envoy gets one)" : setting.envoy());
  }

  @Override
  public void begins(int number, StepHeading heading) {
    beforeEachStep.run();
    page.blank();
    page.title(number + "  " + heading.title());
    page.blank();
    heading
        .story()
        .forEach(
            paragraph -> {
              page.paragraph(Colour.NONE, paragraph);
              page.blank();
            });
  }

  @Override
  public void quotes(String who, String words) {
    page.quote(who + ": " + SafeText.text(words));
  }

  @Override
  public void shows(ObjectState object) {
    page.quote(
        "%s: generation %d, served %d, in force on %d of %s"
            .formatted(
                object.id(),
                object.generation(),
                object.servedGeneration(),
                object.accepted(),
                object.proxies() == 1 ? "1 proxy" : object.proxies() + " proxies"));
    page.quote(
        "Programmed="
            + object.programmed()
            + (object.isProgrammed()
                ? ""
                : ", " + object.reason() + ": " + SafeText.text(object.message())));
  }

  @Override
  public void searched(Incident incident) {
    page.blank();
    int widest = incident.trials().stream().mapToInt(Incident.Trial::changes).max().orElse(0);
    for (Incident.Trial trial : incident.trials()) {
      Colour colour = trial.answer().equals("accepted") ? Colour.GOOD : Colour.BAD;
      page.row(
          "after " + Numbers.millis(trial.afterMillis()),
          new Span(colour, "■".repeat(trial.changes())),
          new Span(Colour.FAINT, "·".repeat(widest - trial.changes())),
          new Span(
              Colour.NONE,
              "%4d %-7s  ".formatted(trial.changes(), trial.changes() == 1 ? "change" : "changes")),
          new Span(colour, trial.answer()));
    }
    page.quote(
        "found after "
            + Numbers.of(incident.trials().size(), "trial")
            + ", in "
            + Numbers.millis(incident.tookMillis())
            + ": "
            + String.join(", ", incident.culprits()));
    page.blank();
  }

  @Override
  public void claimed(CheckResult claim) {
    page.item(
        claim.held() ? Colour.GOOD : Colour.BAD,
        claim.held() ? "✓" : "✗",
        claim.text(),
        claim.after().isZero() ? "" : Numbers.of(claim.after()));
  }

  @Override
  public void ends(StepReport report) {
    page.blank();
    Iterator<Map.Entry<String, CallCounts>> clients = report.traffic().entrySet().iterator();
    while (clients.hasNext()) {
      Map.Entry<String, CallCounts> client = clients.next();
      CallCounts calls = client.getValue();
      page.row(
          clients.hasNext() ? "" : Numbers.of(report.took()),
          new Span(
              Colour.NONE,
              "%-13s %7s calls served, ".formatted(client.getKey(), Numbers.of(calls.served()))),
          new Span(
              calls.failed() == 0 ? Colour.GOOD : Colour.BAD,
              Numbers.of(calls.failed()) + " failed"));
    }
  }

  @Override
  public void closes(DemoSummary summary) {
    page.blank();
    page.title("Summary");
    page.blank();
    page.item(
        summary.held() ? Colour.GOOD : Colour.BAD,
        summary.held() ? "✓" : "✗",
        summary.held()
            ? "%s, %s, all of them so"
                .formatted(
                    Numbers.of(summary.steps().size(), "step"),
                    Numbers.of(summary.claims(), "claim"))
            : "step %d of %d did not hold".formatted(summary.steps().size(), summary.planned()),
        "");
    page.item(
        summary.calls().failed() == 0 ? Colour.GOOD : Colour.BAD,
        summary.calls().failed() == 0 ? "✓" : "✗",
        "%s calls served, %s failed"
            .formatted(Numbers.of(summary.calls().served()), Numbers.of(summary.calls().failed())),
        Numbers.of(summary.took()));
    summary.trouble().forEach(line -> page.quote(SafeText.text(line)));
  }

  @Override
  public void stays(DemoSetup setting) {
    page.blank();
    page.paragraph(
        Colour.NONE,
        "It goes on. Look around at "
            + setting.admin()
            + "/, edit the files in "
            + setting.objects()
            + ", try './holdfast get objects --server "
            + setting.admin()
            + "'. Ctrl-C ends it and leaves nothing behind.");
  }
}
