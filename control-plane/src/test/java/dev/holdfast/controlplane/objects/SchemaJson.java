// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.holdfast.controlplane.objects.read.ValueSchema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Generates the JSON schema of a kind from its decoder and the descriptions. */
final class SchemaJson {
  private static final ValueSchema TEXT = new ValueSchema.Text(null, List.of());

  private final ObjectKind kind;
  private final Descriptions descriptions;
  private final List<String> undescribed = new ArrayList<>();

  SchemaJson(ObjectKind kind, Descriptions descriptions) {
    this.kind = kind;
    this.descriptions = descriptions;
  }

  /** The fields without a description; complete after {@link #text}. */
  List<String> undescribed() {
    return List.copyOf(undescribed);
  }

  String text() {
    JsonObject schema = new JsonObject();
    schema.addProperty("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.addProperty("title", kind.kind());
    schema.addProperty("description", descriptions.of(kind));
    JsonObject properties = new JsonObject();
    properties.add("apiVersion", constant("apiVersion", kind.apiVersion()));
    properties.add("kind", constant("kind", kind.kind()));
    properties.add("metadata", metadata());
    JsonObject body = group("", kind.schema());
    body.getAsJsonObject("properties").asMap().forEach(properties::add);
    properties.add("status", described("status", new ValueSchema.Anything(), new JsonObject()));
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

  private JsonObject constant(String path, String value) {
    JsonObject json = new JsonObject();
    json.addProperty("const", value);
    return described(path, TEXT, json);
  }

  private static JsonObject type(String type) {
    JsonObject json = new JsonObject();
    json.addProperty("type", type);
    return json;
  }

  private JsonObject metadata() {
    JsonObject properties = new JsonObject();
    properties.add("name", described("metadata.name", TEXT, type("string")));
    properties.add("namespace", described("metadata.namespace", TEXT, type("string")));
    JsonObject json = described("metadata", TEXT, type("object"));
    json.add("properties", properties);
    JsonArray required = new JsonArray();
    required.add("name");
    json.add("required", required);
    return json;
  }

  /** Adds the description of a field; unsupported fields need none. */
  private JsonObject described(String path, ValueSchema schema, JsonObject json) {
    if (schema instanceof ValueSchema.Unsupported) {
      return json;
    }
    Descriptions.Description description = descriptions.of(kind, path);
    if (description == null && schema instanceof ValueSchema.Anything) {
      json.addProperty("description", "Accepted, but has no effect.");
    } else if (description == null) {
      undescribed.add(kind.kind() + ": " + path);
    } else {
      json.addProperty("description", description.meaning());
      ValueSchema of = schema instanceof ValueSchema.ListOf many ? many.element() : schema;
      String fallback = schema instanceof ValueSchema.Flag ? "false" : null;
      fallback = description.fallback() == null ? fallback : description.fallback();
      if (fallback != null) {
        json.add("default", value(of, fallback));
      }
      examples(json, of, description.example());
    }
    return json;
  }

  private static void examples(JsonObject json, ValueSchema schema, @Nullable String example) {
    if (example != null) {
      JsonArray examples = new JsonArray();
      examples.add(value(schema, example));
      json.add("examples", examples);
    }
  }

  private static JsonPrimitive value(ValueSchema schema, String text) {
    return schema instanceof ValueSchema.WholeNumber
        ? new JsonPrimitive(Long.parseLong(text))
        : schema instanceof ValueSchema.Flag
            ? new JsonPrimitive(Boolean.parseBoolean(text))
            : new JsonPrimitive(text);
  }

  private JsonObject json(String path, ValueSchema schema) {
    if (schema instanceof ValueSchema.Group group) {
      return group(path, group);
    }
    if (schema instanceof ValueSchema.ListOf many) {
      JsonObject json = type("array");
      json.add("items", json(path + "[]", many.element()));
      return json;
    }
    if (schema instanceof ValueSchema.Text text) {
      return text(text);
    }
    if (schema instanceof ValueSchema.WholeNumber whole) {
      JsonObject json = type("integer");
      json.addProperty("minimum", whole.min());
      json.addProperty("maximum", whole.max());
      return json;
    }
    if (schema instanceof ValueSchema.Flag) {
      return type("boolean");
    }
    if (schema instanceof ValueSchema.Dictionary) {
      JsonObject json = type("object");
      json.add("additionalProperties", type("string"));
      return json;
    }
    if (schema instanceof ValueSchema.Typed) {
      return typed(path);
    }
    JsonObject json = new JsonObject();
    if (schema instanceof ValueSchema.Unsupported) {
      json.addProperty("description", "Not supported by Holdfast.");
      json.add("not", new JsonObject());
    }
    return json;
  }

  private JsonObject typed(String path) {
    ValueSchema.Text message = new ValueSchema.Text("^type\\.googleapis\\.com/", List.of());
    JsonObject properties = new JsonObject();
    properties.add("@type", described(path + ".@type", message, text(message)));
    JsonObject json = type("object");
    json.add("properties", properties);
    JsonArray required = new JsonArray();
    required.add("@type");
    json.add("required", required);
    return json;
  }

  private static JsonObject text(ValueSchema.Text text) {
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

  private JsonObject group(String path, ValueSchema.Group group) {
    JsonObject json = type("object");
    JsonObject properties = new JsonObject();
    JsonArray required = new JsonArray();
    group
        .properties()
        .forEach(
            (name, property) -> {
              String field = path.isEmpty() ? name : path + "." + name;
              JsonObject value = json(field, property.schema());
              properties.add(name, described(field, property.schema(), value));
              if (property.presence() == ValueSchema.Presence.REQUIRED) {
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
