// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/** Which objects a resource, or a part of it, came from, and who runs it. */
final class ResourceExplanation {
  private final JsonObject resource;
  private final FieldPath path;
  private final List<JsonObject> parts;

  private ResourceExplanation(JsonObject resource, FieldPath path, List<JsonObject> parts) {
    this.resource = resource;
    this.path = path;
    this.parts = parts;
  }

  /**
   * @param objects all that the server has
   * @throws CommandException if the resource has no such part
   */
  static ResourceExplanation of(JsonObject resource, FieldPath path, JsonObject objects) {
    JsonElement body = resource.get("body");
    if (body != null && !body.isJsonNull()) {
      String problem = path.problemIn(body);
      if (!problem.isEmpty()) {
        throw new CommandException(id(resource) + " has no " + problem);
      }
    }
    Map<String, String> places =
        JsonFields.of(objects, "items").stream()
            .collect(
                Collectors.toMap(
                    ReportedObject::key, one -> JsonFields.text(one, "place"), (a, b) -> a));
    List<JsonObject> parts =
        chosen(JsonFields.of(resource, "provenance"), path).stream()
            .map(part -> placed(part, places))
            .toList();
    return new ResourceExplanation(resource, path, parts);
  }

  /** The innermost parts that hold the one that is wanted, and what there is within it. */
  private static List<JsonObject> chosen(List<JsonObject> all, FieldPath wanted) {
    int longest =
        all.stream()
            .map(ResourceExplanation::path)
            .filter(path -> path.holds(wanted))
            .mapToInt(path -> path.steps().size())
            .max()
            .orElse(0);
    return all.stream()
        .filter(
            part -> {
              FieldPath path = path(part);
              return wanted.holds(path) || (path.holds(wanted) && path.steps().size() == longest);
            })
        .toList();
  }

  /** A newer server may write paths in ways that are not known here; those hold nothing. */
  private static FieldPath path(JsonObject part) {
    String text = JsonFields.text(part, "path");
    try {
      return FieldPath.parse(text);
    } catch (TypeConversionException e) {
      return new FieldPath(List.of(text));
    }
  }

  private static JsonObject placed(JsonObject part, Map<String, String> places) {
    JsonObject placed = part.deepCopy();
    String key = ReportedObject.key(JsonFields.object(part, "object"));
    placed.addProperty("place", places.getOrDefault(key, ""));
    return placed;
  }

  private static String id(JsonObject resource) {
    return JsonFields.text(resource, "type") + "/" + JsonFields.text(resource, "name");
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    for (String field : List.of("type", "name", "version")) {
      json.addProperty(field, JsonFields.text(resource, field));
    }
    json.addProperty("path", path.toString());
    JsonArray array = new JsonArray();
    parts.forEach(array::add);
    json.add("parts", array);
    for (String field : List.of("accepted", "pending", "rejected")) {
      JsonElement nodes = resource.get(field);
      json.add(field, nodes == null ? JsonNull.INSTANCE : nodes);
    }
    return json;
  }

  List<String> render(int width, Style style) {
    SectionedText sections = new SectionedText(width, style);
    sections.field("Resource", id(resource));
    if (!path.steps().isEmpty()) {
      sections.field("Part", path.toString());
    }
    sections.field("Version", JsonFields.text(resource, "version"));
    sections.field("Accepted", nodes("accepted"));
    sections.field("Pending", nodes("pending"));
    sections.field("Rejected", nodes("rejected"));
    if (parts.isEmpty()) {
      sections.field("Comes from", "no object: it is the control plane's own");
    }
    sections.table("Comes from", table(), parts.size());
    return sections.lines();
  }

  private String nodes(String field) {
    List<String> nodes = JsonFields.texts(resource, field);
    return nodes.isEmpty() ? ObjectTable.NOTHING : String.join(", ", nodes);
  }

  private Table table() {
    Table table =
        new Table(
            "PLACE",
            new Column("PART", Overflow.WRAP, /* narrowest= */ 16),
            new Column("OBJECT", Overflow.WRAP, /* narrowest= */ 16),
            Column.of("GENERATION"),
            new Column("FIELD", Overflow.WRAP, /* narrowest= */ 12));
    for (JsonObject part : parts) {
      String path = JsonFields.text(part, "path");
      table.add(
          JsonFields.text(part, "place"),
          Cell.of(path.isEmpty() ? "all of it" : path),
          Cell.of(ReportedObject.key(JsonFields.object(part, "object"))),
          Cell.of(JsonFields.text(part, "generation")),
          Cell.of(JsonFields.text(part, "field")));
    }
    return table;
  }
}
