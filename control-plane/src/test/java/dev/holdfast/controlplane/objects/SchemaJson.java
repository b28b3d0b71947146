// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.controlplane.objects.read.Shape;
import java.util.List;

/** The JSON schema of a kind, as its decoder has it. */
final class SchemaJson {
  private SchemaJson() {}

  static String of(ObjectKind kind) {
    JsonObject schema = new JsonObject();
    schema.addProperty("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.addProperty("title", kind.kind());
    JsonObject properties = new JsonObject();
    properties.add("apiVersion", constant(kind.apiVersion()));
    properties.add("kind", constant(kind.kind()));
    properties.add("metadata", metadata());
    JsonObject body = group(kind.shape());
    body.getAsJsonObject("properties").asMap().forEach(properties::add);
    properties.add("status", new JsonObject());
    schema.addProperty("type", "object");
    schema.add("properties", properties);
    JsonArray required = new JsonArray();
    required.add("apiVersion");
    required.add("kind");
    required.add("metadata");
    if (body.has("required")) {
      required.addAll(body.getAsJsonArray("required"));
    }
    schema.add("required", required);
    schema.addProperty("additionalProperties", false);
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(schema)
        + "\n";
  }

  private static JsonObject constant(String value) {
    JsonObject json = new JsonObject();
    json.addProperty("const", value);
    return json;
  }

  private static JsonObject type(String type) {
    JsonObject json = new JsonObject();
    json.addProperty("type", type);
    return json;
  }

  private static JsonObject metadata() {
    JsonObject properties = new JsonObject();
    properties.add("name", type("string"));
    properties.add("namespace", type("string"));
    JsonObject json = type("object");
    json.add("properties", properties);
    JsonArray required = new JsonArray();
    required.add("name");
    json.add("required", required);
    return json;
  }

  private static JsonObject json(Shape shape) {
    if (shape instanceof Shape.Group group) {
      return group(group);
    }
    if (shape instanceof Shape.Many many) {
      JsonObject json = type("array");
      json.add("items", json(many.element()));
      return json;
    }
    if (shape instanceof Shape.Text text) {
      return text(text);
    }
    if (shape instanceof Shape.Whole whole) {
      JsonObject json = type("integer");
      json.addProperty("minimum", whole.min());
      json.addProperty("maximum", whole.max());
      return json;
    }
    if (shape instanceof Shape.Flag) {
      return type("boolean");
    }
    if (shape instanceof Shape.Dictionary) {
      JsonObject json = type("object");
      json.add("additionalProperties", type("string"));
      return json;
    }
    if (shape instanceof Shape.Typed) {
      return typed();
    }
    JsonObject json = new JsonObject();
    if (shape instanceof Shape.Refused) {
      json.addProperty("description", "Not supported by Holdfast.");
      json.add("not", new JsonObject());
    }
    return json;
  }

  private static JsonObject typed() {
    JsonObject properties = new JsonObject();
    properties.add("@type", text(new Shape.Text("^type\\.googleapis\\.com/", List.of())));
    JsonObject json = type("object");
    json.add("properties", properties);
    JsonArray required = new JsonArray();
    required.add("@type");
    json.add("required", required);
    return json;
  }

  private static JsonObject text(Shape.Text text) {
    JsonObject json = type("string");
    if (text.pattern() != null) {
      json.addProperty("pattern", text.pattern());
    }
    if (!text.values().isEmpty()) {
      JsonArray values = new JsonArray();
      text.values().forEach(values::add);
      json.add("enum", values);
    }
    return json;
  }

  private static JsonObject group(Shape.Group group) {
    JsonObject json = type("object");
    JsonObject properties = new JsonObject();
    JsonArray required = new JsonArray();
    group
        .properties()
        .forEach(
            (name, property) -> {
              properties.add(name, json(property.shape()));
              if (property.presence() == Shape.Presence.REQUIRED) {
                required.add(name);
              }
            });
    json.add("properties", properties);
    if (!required.isEmpty()) {
      json.add("required", required);
    }
    json.addProperty("additionalProperties", false);
    return json;
  }
}
