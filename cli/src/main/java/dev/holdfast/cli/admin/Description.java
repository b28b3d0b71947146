// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.cli.client.Items;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** One object for people, part by part. */
final class Description {
  private final JsonObject object;
  private final Instant now;
  private final Sections sections;

  private Description(JsonObject object, Instant now, Sections sections) {
    this.object = object;
    this.now = now;
    this.sections = sections;
  }

  /**
   * @param past what happened to it, newest first
   */
  static List<String> render(
      JsonObject object, List<JsonObject> past, Instant now, int width, Style style) {
    Sections sections = new Sections(width, style);
    Description description = new Description(object, now, sections);
    description.head();
    description.conditions();
    description.classes();
    sections.list("Resources", description.resources());
    sections.list("Problems", Items.texts(object, "problems"));
    sections.diff("Wanted against served", Items.texts(object, "diff"));
    description.past(past);
    return sections.lines();
  }

  private void head() {
    long served = Items.number(object, "servedGeneration");
    sections.field("Kind", Items.text(object, "kind"));
    sections.field("Namespace", Items.text(object, "namespace"));
    sections.field("Name", Items.text(object, "name"));
    sections.field(
        "Generation",
        Items.text(object, "generation")
            + (served == 0 ? ", none is served" : ", served is " + served));
    String place = Items.text(object, "place");
    if (!place.isEmpty()) {
      sections.field("Place", place);
    }
    JsonObject proxies = Items.object(object, "proxies");
    sections.field(
        "Proxies",
        Items.number(proxies, "total")
            + ": "
            + Items.number(proxies, "programmed")
            + " programmed, "
            + Items.number(proxies, "pending")
            + " pending, "
            + Items.number(proxies, "rejected")
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
    List<JsonObject> conditions = Items.of(object, "conditions");
    for (JsonObject condition : conditions) {
      table.add(
          Items.text(condition, "message"),
          Cell.of(Items.text(condition, "type")),
          new Cell(Items.text(condition, "status"), ObjectTable.colour(condition)),
          Cell.of(Items.text(condition, "reason")),
          Cell.of(Items.text(condition, "observedGeneration")),
          Cell.of(ProxyTable.age(Items.text(condition, "lastTransitionTime"), now)));
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
    Map<String, JsonElement> classes = Items.object(object, "byClass").asMap();
    classes.forEach(
        (name, element) -> {
          JsonObject counts = element instanceof JsonObject found ? found : new JsonObject();
          table.add(
              "",
              Cell.of(name),
              Cell.of(Items.text(counts, "total")),
              Cell.of(Items.text(counts, "programmed")),
              Cell.of(Items.text(counts, "pending")),
              Cell.of(Items.text(counts, "rejected")));
        });
    sections.table("Classes", table, classes.size());
  }

  private List<String> resources() {
    return Items.of(object, "resources").stream()
        .map(resource -> Items.text(resource, "type") + "/" + Items.text(resource, "name"))
        .toList();
  }

  private void past(List<JsonObject> past) {
    Table table =
        new Table(
            "MESSAGE",
            Column.of("AGE"),
            Column.of("WHAT"),
            Column.of("GENERATION"),
            Column.of("PROXY"),
            Column.of("TOOK"));
    for (JsonObject entry : past) {
      table.add(
          Items.text(entry, "message"),
          Cell.of(ProxyTable.age(Items.text(entry, "at"), now)),
          Cell.of(Items.text(entry, "kind")),
          Cell.of(Items.text(entry, "generation")),
          Cell.of(orDash(Items.text(entry, "proxy"))),
          Cell.of(orDash(IncidentTable.duration(entry, "tookMillis"))));
    }
    sections.table("History", table, past.size());
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
