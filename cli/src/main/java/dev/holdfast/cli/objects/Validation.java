// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.objects;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.controlplane.translate.ReferenceCheck;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The result of validating files.
 *
 * @param objects how many could be told apart at all
 * @param problems by file and place
 */
public record Validation(int objects, List<Found> problems) {

  /**
   * A problem and whose it is.
   *
   * @param object null if the file could not be read so far
   */
  public record Found(@Nullable ObjectKey object, LocatedProblem problem) {
    public String text() {
      String owner = object == null ? "" : object + ": ";
      return SafeText.text(problem.position() + ": " + owner + problem.problem());
    }

    public JsonObject json() {
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

  /** What is wrong with each object by itself. */
  public static Validation of(ReadResult reading) {
    return of(reading, TranslationOptions.defaults());
  }

  /** What is wrong with each object by itself, for a server with these options. */
  static Validation of(ReadResult reading, TranslationOptions options) {
    List<Found> found = unreadable(reading);
    for (ConfigObject object : reading.objects()) {
      add(found, object.key(), ReferenceCheck.alone(object, options));
    }
    return sorted(reading, found);
  }

  /**
   * What is wrong with objects once they are among others, in the place of those of the same names:
   * with themselves, and with others as far as it is news.
   */
  public static Validation together(ReadResult reading, Collection<ConfigObject> others) {
    return together(reading, others, TranslationOptions.defaults());
  }

  /** The same for a server with these options. */
  public static Validation together(
      ReadResult reading, Collection<ConfigObject> others, TranslationOptions options) {
    Map<ObjectKey, ConfigObject> all = new TreeMap<>();
    others.forEach(object -> all.put(object.key(), object));
    Map<ObjectKey, List<LocatedProblem>> before = ReferenceCheck.check(all.values(), options);
    Set<ObjectKey> own = new TreeSet<>();
    reading
        .objects()
        .forEach(
            object -> {
              own.add(object.key());
              all.put(object.key(), object);
            });
    List<Found> found = unreadable(reading);
    ReferenceCheck.check(all.values(), options)
        .forEach(
            (key, problems) -> {
              List<LocatedProblem> known = own.contains(key) ? null : before.get(key);
              add(found, key, known == null ? problems : news(problems, known));
            });
    return sorted(reading, found);
  }

  private static List<LocatedProblem> news(List<LocatedProblem> now, List<LocatedProblem> before) {
    return now.stream()
        .filter(one -> before.stream().noneMatch(known -> known.problem().equals(one.problem())))
        .toList();
  }

  private static List<Found> unreadable(ReadResult reading) {
    List<Found> found = new ArrayList<>();
    reading.problems().forEach(problem -> found.add(new Found(null, problem)));
    return found;
  }

  private static Validation sorted(ReadResult reading, List<Found> found) {
    found.sort(Comparator.comparing(one -> one.problem().position()));
    return new Validation(reading.objects().size(), List.copyOf(found));
  }

  private static void add(List<Found> found, ObjectKey key, List<LocatedProblem> problems) {
    problems.forEach(problem -> found.add(new Found(key, problem)));
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
