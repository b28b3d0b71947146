// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.objects;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.output.Plain;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.files.FileSet;
import dev.holdfast.config.files.Reading;
import dev.holdfast.controlplane.objects.ObjectKind;
import dev.holdfast.controlplane.translate.ReferenceCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What came of checking files.
 *
 * @param objects how many could be told apart at all
 * @param problems by file and place
 */
record Validation(int objects, List<Found> problems) {

  /**
   * A problem and whose it is.
   *
   * @param object null if the file could not be read so far
   */
  record Found(@Nullable ObjectKey object, LocatedProblem problem) {
    String text() {
      String owner = object == null ? "" : object + ": ";
      return Plain.text(problem.position() + ": " + owner + problem.problem());
    }

    JsonObject json() {
      JsonObject json = new JsonObject();
      json.addProperty("file", problem.position().source());
      json.addProperty("line", problem.position().line());
      json.addProperty("column", problem.position().column());
      json.addProperty("kind", object == null ? null : object.kind());
      json.addProperty("namespace", object == null ? null : object.namespace());
      json.addProperty("name", object == null ? null : object.name());
      json.addProperty("path", problem.problem().path());
      json.addProperty("problem", problem.problem().kind().name().toLowerCase(Locale.ROOT));
      json.addProperty("message", problem.problem().message());
      return json;
    }
  }

  /** What is checked. */
  enum Scope {
    /** Each object by itself. */
    EACH,
    /** And what they say of one another. */
    ALL
  }

  static Validation of(List<Path> paths, Scope scope) {
    Reading reading = FileSet.read(paths);
    List<Found> found = new ArrayList<>();
    reading.problems().forEach(problem -> found.add(new Found(null, problem)));
    if (scope == Scope.ALL) {
      ReferenceCheck.check(reading.objects()).forEach((key, problems) -> add(found, key, problems));
    } else {
      for (ConfigObject object : reading.objects()) {
        add(found, object.key(), ObjectKind.decode(object).problems());
      }
    }
    found.sort(Comparator.comparing(one -> one.problem().position()));
    return new Validation(reading.objects().size(), List.copyOf(found));
  }

  private static void add(List<Found> found, ObjectKey key, List<LocatedProblem> problems) {
    problems.forEach(problem -> found.add(new Found(key, problem)));
  }

  boolean isEmpty() {
    return objects == 0 && problems.isEmpty();
  }

  /** How many objects have problems. */
  private long invalid() {
    return problems.stream().map(Found::object).filter(key -> key != null).distinct().count();
  }

  List<String> text() {
    List<String> lines = new ArrayList<>(problems.stream().map(Found::text).toList());
    lines.add(
        problems.isEmpty()
            ? count(objects, "object") + ", no problems"
            : count(problems.size(), "problem")
                + "; "
                + (objects - invalid())
                + " of "
                + count(objects, "object")
                + " valid");
    return lines;
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("objects", objects);
    json.addProperty("valid", objects - invalid());
    JsonArray array = new JsonArray();
    problems.forEach(problem -> array.add(problem.json()));
    json.add("problems", array);
    return json;
  }
}
