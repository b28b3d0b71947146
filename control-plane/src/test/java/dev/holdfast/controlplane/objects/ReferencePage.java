// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Generates the page of a kind in docs/reference from its schema and an example. */
final class ReferencePage {
  private final JsonObject schema;
  private final StringBuilder page = new StringBuilder();

  /** The sections written so far, by content; an equal group elsewhere only gets a link. */
  private final Map<JsonObject, String> sections = new LinkedHashMap<>();

  private ReferencePage(JsonObject schema) {
    this.schema = schema;
  }

  static String of(String schemaJson, String exampleYaml) {
    ReferencePage page = new ReferencePage(JsonParser.parseString(schemaJson).getAsJsonObject());
    page.write(exampleYaml);
    return page.page.toString();
  }

  private void write(String exampleYaml) {
    String kind = schema.get("title").getAsString();
    line("<!-- Written by SchemaTest and ReferenceTest from schemas/*.json; do not edit. -->");
    line("# " + kind);
    line("");
    line(schema.get("description").getAsString());
    line("");
    line("```yaml");
    page.append(exampleYaml);
    line("```");
    section("", schema);
    line("");
    line("The schema, for editors: [%s.json](../../schemas/%s.json).".replace("%s", lower(kind)));
  }

  private void section(String path, JsonObject group) {
    if (group.getAsJsonObject("properties") == null) {
      return;
    }
    line("");
    line("## " + (path.isEmpty() ? "Fields" : "`" + path + "`"));
    line("");
    line("| field | type | required | default | meaning |");
    line("|---|---|---|---|---|");
    JsonObject properties = group.getAsJsonObject("properties");
    SortedSet<String> required = strings(group.get("required"));
    SortedSet<String> refused = new TreeSet<>();
    SortedSet<String> idle = new TreeSet<>();
    properties
        .asMap()
        .forEach(
            (name, element) -> {
              JsonObject field = element.getAsJsonObject();
              if (field.has("not")) {
                refused.add("`" + name + "`");
              } else if (Fields.type(field).isEmpty() && !name.equals("status")) {
                idle.add("`" + name + "`");
              } else {
                row(path, name, field, required.contains(name));
              }
            });
    list("Accepted, but without effect: ", idle);
    list("Not supported, and rejected: ", refused);
    properties.asMap().forEach((name, element) -> nested(path, name, element.getAsJsonObject()));
  }

  private void row(String path, String name, JsonObject field, boolean required) {
    JsonElement fallback = field.get("default");
    line(
        "| `%s` | %s | %s | %s | %s |"
            .formatted(
                name,
                Fields.type(field).isEmpty() ? "anything" : Fields.type(field),
                required ? "yes" : "",
                fallback == null || fallback.getAsString().isEmpty()
                    ? ""
                    : "`" + fallback.getAsString() + "`",
                Fields.meaning(field) + elsewhere(join(path, name), field)));
  }

  /** A link to the section with the fields of a field. */
  private String elsewhere(String path, JsonObject field) {
    JsonObject inner = Fields.inner(field);
    if (inner == null) {
      return "";
    }
    String where = sections.putIfAbsent(Fields.fieldsOf(inner), Fields.path(path, field));
    String section = where == null ? Fields.path(path, field) : where;
    return " [Its fields](#" + Fields.anchor(section) + ").";
  }

  private void nested(String path, String name, JsonObject field) {
    JsonObject inner = Fields.inner(field);
    if (inner == null) {
      return;
    }
    String own = Fields.path(join(path, name), field);
    if (own.equals(sections.get(Fields.fieldsOf(inner)))) {
      section(own, inner);
    }
  }

  private void list(String what, SortedSet<String> names) {
    if (!names.isEmpty()) {
      line("");
      line(what + String.join(", ", names) + ".");
    }
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static SortedSet<String> strings(@Nullable JsonElement array) {
    return array == null
        ? new TreeSet<>()
        : StreamSupport.stream(array.getAsJsonArray().spliterator(), false)
            .map(JsonElement::getAsString)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String lower(String kind) {
    return kind.toLowerCase(Locale.ROOT);
  }

  private void line(String text) {
    page.append(text).append('\n');
  }

  /** Reads the schema of one field. */
  private static final class Fields {
    private Fields() {}

    static String type(JsonObject field) {
      if (field.has("const")) {
        return "`" + field.get("const").getAsString() + "`";
      }
      if (field.has("enum")) {
        return field.getAsJsonArray("enum").asList().stream()
            .map(value -> "`" + value.getAsString() + "`")
            .collect(Collectors.joining(", "));
      }
      if (!field.has("type")) {
        return "";
      }
      return switch (field.get("type").getAsString()) {
        case "array" -> "list of " + type(field.getAsJsonObject("items"));
        case "integer" ->
            "whole number, %s to %s"
                .formatted(field.get("minimum").getAsString(), field.get("maximum").getAsString());
        case "boolean" -> "true or false";
        case "object" ->
            field.get("additionalProperties") instanceof JsonObject ? "texts by name" : "fields";
        default -> "text";
      };
    }

    static String meaning(JsonObject field) {
      String text = field.has("description") ? field.get("description").getAsString() : "";
      if (!field.has("examples")) {
        return text;
      }
      return text + " Example: `" + field.getAsJsonArray("examples").get(0).getAsString() + "`.";
    }

    /** The group of fields that a field is, or is a list of; null if it is neither. */
    static @Nullable JsonObject inner(JsonObject field) {
      JsonObject group = field.has("items") ? field.getAsJsonObject("items") : field;
      return group.has("properties") ? group : null;
    }

    /** The content by which two groups are equal, wherever they occur. */
    static JsonObject fieldsOf(JsonObject group) {
      JsonObject fields = new JsonObject();
      for (String key : List.of("properties", "required")) {
        if (group.has(key)) {
          fields.add(key, group.get(key));
        }
      }
      return fields;
    }

    static String path(String path, JsonObject field) {
      return field.has("items") ? path + "[]" : path;
    }

    static String anchor(String section) {
      return section.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "");
    }
  }
}
