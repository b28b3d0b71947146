// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The text output of {@code describe}. */
final class ObjectDescription {
  private final JsonObject object;
  private final Instant now;
  private final SectionedText sections;

  private ObjectDescription(JsonObject object, Instant now, SectionedText sections) {
    this.object = object;
    this.now = now;
    this.sections = sections;
  }

  /**
   * @param past what happened to it, newest first
   */
  static List<String> render(
      JsonObject object, List<JsonObject> past, Instant now, int width, Style style) {
    SectionedText sections = new SectionedText(width, style);
    ObjectDescription description = new ObjectDescription(object, now, sections);
    description.head();
    description.conditions();
    description.classes();
    sections.list("Resources", description.resources());
    sections.list("Problems", JsonFields.texts(object, "problems"));
    sections.list("Warnings", JsonFields.texts(object, "warnings"));
    sections.list("Not asked through a scout", JsonFields.texts(object, "notProbed"));
    sections.diff("Changes that are not live", JsonFields.texts(object, "diff"));
    description.past(past);
    return sections.lines();
  }

  private void head() {
    long served = JsonFields.number(object, "servedGeneration");
    sections.field("Kind", JsonFields.text(object, "kind"));
    sections.field("Namespace", JsonFields.text(object, "namespace"));
    sections.field("Name", JsonFields.text(object, "name"));
    sections.field(
        "Generation",
        JsonFields.text(object, "generation")
            + (served == 0 ? ", none is served" : ", serving " + served));
    String location = JsonFields.text(object, "location");
    if (!location.isEmpty()) {
      sections.field("Location", location);
    }
    JsonObject proxies = JsonFields.object(object, "proxies");
    sections.field(
        "Proxies",
        JsonFields.number(proxies, "total")
            + " in total, "
            + JsonFields.number(proxies, "programmed")
            + " programmed, "
            + JsonFields.number(proxies, "pending")
            + " pending, "
            + JsonFields.number(proxies, "rejected")
            + " rejected");
  }

  private void conditions() {
    Table table =
        new Table(
            "MESSAGE",
            Column.of("TYPE"),
            Column.of("STATUS"),
            Column.of("REASON"),
            Column.of("GENERATION"),
            Column.of("AGE"));
    List<JsonObject> conditions = JsonFields.of(object, "conditions");
    for (JsonObject condition : conditions) {
      table.add(
          JsonFields.text(condition, "message"),
          Cell.of(JsonFields.text(condition, "type")),
          new Cell(JsonFields.text(condition, "status"), ObjectTable.colour(condition)),
          Cell.of(JsonFields.text(condition, "reason")),
          Cell.of(JsonFields.text(condition, "observedGeneration")),
          Cell.of(ProxyTable.age(JsonFields.text(condition, "lastTransitionTime"), now)));
    }
    sections.table("Conditions", table, conditions.size());
  }

  private void classes() {
    Table table =
        new Table(
            "",
            Column.of("CLASS"),
            Column.of("PROXIES"),
            Column.of("PROGRAMMED"),
            Column.of("PENDING"),
            Column.of("REJECTED"));
    Map<String, JsonElement> classes = JsonFields.object(object, "byClass").asMap();
    classes.forEach(
        (name, element) -> {
          JsonObject counts = element instanceof JsonObject found ? found : new JsonObject();
          table.add(
              "",
              Cell.of(name),
              Cell.of(JsonFields.text(counts, "total")),
              Cell.of(JsonFields.text(counts, "programmed")),
              Cell.of(JsonFields.text(counts, "pending")),
              Cell.of(JsonFields.text(counts, "rejected")));
        });
    sections.table("Classes", table, classes.size());
  }

  private List<String> resources() {
    return JsonFields.of(object, "resources").stream()
        .map(
            resource -> JsonFields.text(resource, "type") + "/" + JsonFields.text(resource, "name"))
        .toList();
  }

  private void past(List<JsonObject> past) {
    Table table =
        new Table(
            "MESSAGE",
            Column.of("AGE"),
            Column.of("EVENT"),
            Column.of("GENERATION"),
            Column.of("PROXY"),
            Column.of("TOOK"));
    for (JsonObject entry : past) {
      table.add(
          JsonFields.text(entry, "message"),
          Cell.of(ProxyTable.age(JsonFields.text(entry, "at"), now)),
          Cell.of(JsonFields.text(entry, "kind")),
          Cell.of(JsonFields.text(entry, "generation")),
          Cell.of(orDash(JsonFields.text(entry, "proxy"))),
          Cell.of(orDash(IncidentTable.duration(entry, "tookMillis"))));
    }
    sections.table("History", table, past.size());
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
