// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Json;
import dev.holdfast.demo.controlplane.Incident;
import dev.holdfast.demo.controlplane.ObjectState;
import dev.holdfast.demo.report.CheckResult;
import dev.holdfast.demo.report.DemoSetup;
import dev.holdfast.demo.report.DemoSummary;
import dev.holdfast.demo.report.Narrator;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.report.StepReport;
import dev.holdfast.demo.traffic.CallCounts;

/** Prints one JSON document at the end of the demo. */
final class JsonNarrator implements Narrator {
  private final Console console;

  JsonNarrator(Console console) {
    this.console = console;
  }

  @Override
  public void starts(String what) {}

  @Override
  public void opens(DemoSetup setup) {}

  @Override
  public void begins(int number, StepHeading heading) {}

  @Override
  public void quotes(String who, String words) {}

  @Override
  public void shows(ObjectState object) {}

  @Override
  public void searched(Incident incident) {}

  @Override
  public void checked(CheckResult check) {}

  @Override
  public void ends(StepReport report) {}

  @Override
  public void closes(DemoSummary summary) {
    JsonObject json = new JsonObject();
    json.addProperty("passed", summary.passed());
    json.addProperty("envoy", summary.setup().envoy());
    json.addProperty("admin", summary.setup().admin());
    addCalls(json, summary.calls());
    json.addProperty("tookMillis", summary.took().toMillis());
    json.addProperty("planned", summary.planned());
    JsonArray steps = new JsonArray();
    summary.steps().forEach(step -> steps.add(step(step)));
    json.add("steps", steps);
    JsonArray diagnostics = new JsonArray();
    summary.diagnostics().forEach(diagnostics::add);
    json.add("diagnostics", diagnostics);
    console.print(Json.pretty(json));
  }

  private static JsonObject step(StepReport report) {
    JsonObject json = new JsonObject();
    json.addProperty("id", report.heading().id());
    json.addProperty("title", report.heading().title());
    json.addProperty("passed", report.passed());
    addCalls(json, report.calls());
    json.addProperty("tookMillis", report.took().toMillis());
    JsonArray checks = new JsonArray();
    for (CheckResult check : report.checks()) {
      JsonObject one = new JsonObject();
      one.addProperty("check", check.text());
      one.addProperty("passed", check.passed());
      one.addProperty("afterMillis", check.after().toMillis());
      checks.add(one);
    }
    json.add("checks", checks);
    return json;
  }

  private static void addCalls(JsonObject json, CallCounts calls) {
    json.addProperty("served", calls.served());
    json.addProperty("failed", calls.failed());
  }

  @Override
  public void stays(DemoSetup setup) {}
}
