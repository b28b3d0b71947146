// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.objects.Validation;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.waiting.ObjectProgress;
import dev.holdfast.config.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON and YAML output of {@code apply}. Every field is always present.
 *
 * @param outcome in one word
 * @param directory what was, or would have been, written to; empty if that is a cluster
 * @param problems what is wrong; if there are any, nothing was written
 */
record ApplyReport(
    String outcome, String directory, List<Result> objects, List<Validation.Found> problems) {

  /**
   * One object.
   *
   * @param progress null if it was not waited for
   */
  record Result(ApplyPlan.Step step, String state, @Nullable ObjectProgress progress) {
    JsonObject json() {
      ObjectKey key = step.object();
      JsonObject json = new JsonObject();
      json.addProperty("kind", key.kind());
      json.addProperty("namespace", key.namespace());
      json.addProperty("name", key.name());
      json.addProperty("action", step.action().word());
      json.addProperty("file", step.file().toString());
      if (progress == null) {
        ObjectProgress.unknown(state).forEach(json::add);
      } else {
        progress.addTo(json);
      }
      return json;
    }
  }

  static ApplyReport invalid(String directory, List<Validation.Found> problems) {
    return new ApplyReport("invalid", directory, List.of(), problems);
  }

  /** Of what is not waited for. */
  static ApplyReport of(String outcome, String directory, List<ApplyPlan.Step> steps) {
    return new ApplyReport(
        outcome,
        directory,
        steps.stream().map(step -> new Result(step, outcome, null)).toList(),
        List.of());
  }

  /** Of what was waited for. */
  static ApplyReport of(
      String outcome, String directory, List<ApplyPlan.Step> steps, List<ObjectProgress> objects) {
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < objects.size(); i++) {
      results.add(new Result(steps.get(i), "", objects.get(i)));
    }
    return new ApplyReport(outcome, directory, results, List.of());
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("outcome", outcome);
    json.addProperty("directory", directory);
    JsonArray array = new JsonArray();
    objects.forEach(object -> array.add(object.json()));
    json.add("objects", array);
    JsonArray wrong = new JsonArray();
    problems.forEach(problem -> wrong.add(problem.json()));
    json.add("problems", wrong);
    return json;
  }

  /** The text output: what was done, or would be done. */
  static List<String> lines(List<ApplyPlan.Step> steps, boolean dryRun) {
    return steps.stream()
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
