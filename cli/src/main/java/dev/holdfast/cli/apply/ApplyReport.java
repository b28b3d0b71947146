// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.objects.Validation;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.waiting.ObjectProgress;
import dev.holdfast.config.ObjectKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of it, as programs are told. Every field is always there.
 *
 * @param outcome in one word
 * @param directory what was, or would have been, written to
 * @param problems what is wrong; if there are any, nothing was written
 */
record ApplyReport(
    String outcome, Path directory, List<Result> objects, List<Validation.Found> problems) {

  /**
   * One object.
   *
   * @param standing null if it was not waited for
   */
  record Result(ApplyPlan.Step step, String state, @Nullable ObjectProgress standing) {
    JsonObject json() {
      ObjectKey key = step.object();
      JsonObject json = new JsonObject();
      json.addProperty("kind", key.kind());
      json.addProperty("namespace", key.namespace());
      json.addProperty("name", key.name());
      json.addProperty("action", step.action().word());
      json.addProperty("file", step.file().toString());
      if (standing == null) {
        ObjectProgress.unknown(state).forEach(json::add);
      } else {
        standing.addTo(json);
      }
      return json;
    }
  }

  static ApplyReport invalid(Path directory, List<Validation.Found> problems) {
    return new ApplyReport("invalid", directory, List.of(), problems);
  }

  /** Of what is not waited for. */
  static ApplyReport of(String outcome, Path directory, ApplyPlan plan) {
    return new ApplyReport(
        outcome,
        directory,
        plan.steps().stream().map(step -> new Result(step, outcome, null)).toList(),
        List.of());
  }

  /** Of what was waited for. */
  static ApplyReport of(
      String outcome, Path directory, ApplyPlan plan, List<ObjectProgress> standings) {
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < standings.size(); i++) {
      results.add(new Result(plan.steps().get(i), "", standings.get(i)));
    }
    return new ApplyReport(outcome, directory, results, List.of());
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("outcome", outcome);
    json.addProperty("directory", directory.toString());
    JsonArray array = new JsonArray();
    objects.forEach(object -> array.add(object.json()));
    json.add("objects", array);
    JsonArray wrong = new JsonArray();
    problems.forEach(problem -> wrong.add(problem.json()));
    json.add("problems", wrong);
    return json;
  }

  /** What is, or would be, done, for people. */
  static List<String> lines(ApplyPlan plan, boolean dryRun) {
    return plan.steps().stream()
        .map(
            step ->
                SafeText.text(
                    step.object()
                        + ": "
                        + (dryRun && step.action() != ApplyPlan.Action.UNCHANGED ? "would be " : "")
                        + step.action().word()
                        + ", "
                        + step.file()))
        .toList();
  }
}
