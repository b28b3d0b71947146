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

/** Says nothing until the end, and then everything at once, for programs. */
final class JsonNarrator implements Narrator {
  private final Console console;

  JsonNarrator(Console console) {
    this.console = console;
  }

  @Override
  public void starts(String what) {}

  @Override
  public void opens(DemoSetup setting) {}

  @Override
  public void begins(int number, StepHeading heading) {}

  @Override
  public void quotes(String who, String words) {}

  @Override
  public void shows(ObjectState object) {}

  @Override
  public void searched(Incident incident) {}

  @Override
  public void claimed(CheckResult claim) {}

  @Override
  public void ends(StepReport report) {}

  @Override
  public void closes(DemoSummary summary) {
    JsonObject json = new JsonObject();
    json.addProperty("held", summary.held());
    json.addProperty("envoy", summary.setting().envoy());
    json.addProperty("admin", summary.setting().admin());
    addCalls(json, summary.calls());
    json.addProperty("tookMillis", summary.took().toMillis());
    json.addProperty("planned", summary.planned());
    JsonArray steps = new JsonArray();
    summary.steps().forEach(step -> steps.add(step(step)));
    json.add("steps", steps);
    JsonArray trouble = new JsonArray();
    summary.trouble().forEach(trouble::add);
    json.add("trouble", trouble);
    console.print(Json.pretty(json));
  }

  private static JsonObject step(StepReport report) {
    JsonObject json = new JsonObject();
    json.addProperty("id", report.heading().id());
    json.addProperty("title", report.heading().title());
    json.addProperty("held", report.held());
    addCalls(json, report.calls());
    json.addProperty("tookMillis", report.took().toMillis());
    JsonArray claims = new JsonArray();
    for (CheckResult claim : report.claims()) {
      JsonObject one = new JsonObject();
      one.addProperty("claim", claim.text());
      one.addProperty("held", claim.held());
      one.addProperty("afterMillis", claim.after().toMillis());
      claims.add(one);
    }
    json.add("claims", claims);
    return json;
  }

  private static void addCalls(JsonObject json, CallCounts calls) {
    json.addProperty("served", calls.served());
    json.addProperty("failed", calls.failed());
  }

  @Override
  public void stays(DemoSetup setting) {}
}
