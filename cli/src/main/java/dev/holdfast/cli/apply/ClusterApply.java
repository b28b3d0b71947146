// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.Kubectl;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies objects to a cluster with kubectl, and finds out which of them became different. */
final class ClusterApply {
  private final Kubectl kubectl;

  ClusterApply(Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  /**
   * @param objects those in the files
   * @param dryRun has the API server check everything, and write nothing
   * @throws CommandException with kubectl's own words if it fails; some objects may be written then
   */
  List<ApplyPlan.Step> apply(List<Path> files, List<ConfigObject> objects, boolean dryRun) {
    Map<ObjectKey, JsonObject> before = new HashMap<>();
    for (JsonObject object : run("get", files, "--ignore-not-found")) {
      before.put(key(object), object);
    }
    Map<String, Path> places = places(objects);
    List<ApplyPlan.Step> steps = new ArrayList<>();
    for (JsonObject object : run("apply", files, "--dry-run=" + (dryRun ? "server" : "none"))) {
      ObjectKey key = key(object);
      Path file = places.getOrDefault(key.kind() + "/" + key.name(), files.get(0));
      steps.add(step(key, before.get(key), object, file));
    }
    return steps;
  }

  private List<JsonObject> run(String verb, List<Path> files, String option) {
    List<String> arguments = new ArrayList<>(List.of(verb));
    for (Path file : files) {
      arguments.add("--filename=" + file);
    }
    arguments.addAll(List.of("--recursive", option, "--output=json"));
    String text = kubectl.run(arguments);
    if (text.isEmpty()) {
      return List.of();
    }
    try {
      JsonObject json = JsonParser.parseString(text).getAsJsonObject();
      return json.get("items") instanceof JsonArray items
          ? items.asList().stream().map(JsonElement::getAsJsonObject).toList()
          : List.of(json);
    } catch (JsonParseException | IllegalStateException e) {
      throw new CommandException("kubectl " + verb + ": its output is not JSON", e);
    }
  }

  /** By kind and name: the namespace may be that of the kubeconfig, which the file does not say. */
  private static Map<String, Path> places(List<ConfigObject> objects) {
    Map<String, Path> places = new HashMap<>();
    for (ConfigObject object : objects) {
      places.put(
          object.key().kind() + "/" + object.key().name(),
          Path.of(object.body().position().source()));
    }
    return places;
  }

  private static ApplyPlan.Step step(
      ObjectKey key, @Nullable JsonObject before, JsonObject after, Path file) {
    if (before == null || !Objects.equals(metadata(before, "uid"), metadata(after, "uid"))) {
      return new ApplyPlan.Step(key, ApplyPlan.Action.CREATED, file, /* newGeneration= */ true);
    }
    boolean same =
        metadata(before, "resourceVersion").equals(metadata(after, "resourceVersion"))
            && body(before).equals(body(after));
    return new ApplyPlan.Step(
        key,
        same ? ApplyPlan.Action.UNCHANGED : ApplyPlan.Action.CHANGED,
        file,
        !body(before).equals(body(after)));
  }

  private static ObjectKey key(JsonObject object) {
    return new ObjectKey(
        JsonFields.text(object, "kind"), metadata(object, "namespace"), metadata(object, "name"));
  }

  private static String metadata(JsonObject object, String field) {
    return JsonFields.text(JsonFields.object(object, "metadata"), field);
  }

  /** What an author writes. */
  private static JsonObject body(JsonObject object) {
    JsonObject body = object.deepCopy();
    body.remove("metadata");
    body.remove("status");
    return body;
  }
}
