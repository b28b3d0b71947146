// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.cli.output.Plain;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One object for people, part by part. */
final class Description {
  private static final String INDENT = "  ";

  private final JsonObject object;
  private final Instant now;
  private final int width;
  private final Style style;
  private final List<String> lines = new ArrayList<>();

  private Description(JsonObject object, Instant now, int width, Style style) {
    this.object = object;
    this.now = now;
    this.width = width;
    this.style = style;
  }

  /**
   * @param past what happened to it, newest first
   */
  static List<String> render(
      JsonObject object, List<JsonObject> past, Instant now, int width, Style style) {
    Description description = new Description(object, now, width, style);
    description.head();
    description.conditions();
    description.classes();
    description.list("Resources", description.resources());
    description.list("Problems", Items.texts(object, "problems"));
    description.past(past);
    return description.lines;
  }

  private void head() {
    long served = Items.number(object, "servedGeneration");
    field("Kind", Items.text(object, "kind"));
    field("Namespace", Items.text(object, "namespace"));
    field("Name", Items.text(object, "name"));
    field(
        "Generation",
        Items.text(object, "generation")
            + (served == 0 ? ", none is served" : ", served is " + served));
    JsonObject proxies = Items.object(object, "proxies");
    field(
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

  private void field(String name, String value) {
    String heading = name + ":" + " ".repeat(12 - name.length());
    lines.add(style.apply(Colour.HEADING, heading) + Plain.text(value));
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
    table("Conditions", table, conditions.size());
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
    table("Classes", table, classes.size());
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
      String took = Items.text(entry, "tookMillis");
      table.add(
          Items.text(entry, "message"),
          Cell.of(ProxyTable.age(Items.text(entry, "at"), now)),
          Cell.of(Items.text(entry, "kind")),
          Cell.of(Items.text(entry, "generation")),
          Cell.of(orDash(Items.text(entry, "proxy"))),
          Cell.of(took.isEmpty() ? "-" : took + " ms"));
    }
    table("History", table, past.size());
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private void table(String heading, Table table, int rows) {
    if (rows > 0) {
      heading(heading);
      table.render(width - INDENT.length(), style).forEach(line -> lines.add(INDENT + line));
    }
  }

  private void list(String heading, List<String> texts) {
    if (!texts.isEmpty()) {
      heading(heading);
      texts.forEach(text -> lines.add(INDENT + Plain.text(text)));
    }
  }

  private void heading(String heading) {
    lines.add("");
    lines.add(style.apply(Colour.HEADING, heading + ":"));
  }
}
