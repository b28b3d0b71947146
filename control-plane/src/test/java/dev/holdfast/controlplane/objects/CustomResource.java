// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.Set;

/**
 * Generates the CustomResourceDefinition of ExtensionPolicy from its JSON schema. Kubernetes knows
 * a part of JSON schema only, and calls that structural.
 */
final class CustomResource {
  /** What a structural schema has no place for, or what the API server checks of its own. */
  private static final Set<String> LEFT_OUT =
      Set.of("$schema", "title", "examples", "additionalProperties", "const");

  /** All but the schema of the spec. */
  private static final String DEFINITION =
      """
      {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
          "name": "extensionpolicies.holdfast.dev",
          "labels": {"app.kubernetes.io/name": "holdfast"}
        },
        "spec": {
          "group": "holdfast.dev",
          "scope": "Namespaced",
          "names": {
            "kind": "ExtensionPolicy",
            "listKind": "ExtensionPolicyList",
            "plural": "extensionpolicies",
            "singular": "extensionpolicy",
            "shortNames": ["extpol"]
          },
          "versions": [
            {
              "name": "v1alpha1",
              "served": true,
              "storage": true,
              "subresources": {"status": {}},
              "additionalPrinterColumns": [
                {"name": "Target", "type": "string", "jsonPath": ".spec.targetRef.name"},
                {"name": "Valid", "type": "string",
                  "jsonPath": ".status.conditions[?(@.type==\\"Valid\\")].status"},
                {"name": "Programmed", "type": "string",
                  "jsonPath": ".status.conditions[?(@.type==\\"Programmed\\")].status"},
                {"name": "Reason", "type": "string",
                  "jsonPath": ".status.conditions[?(@.type==\\"Programmed\\")].reason"},
                {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}
              ]
            }
          ]
        }
      }
      """;

  /** As Kubernetes' own conditions. */
  private static final String STATUS =
      """
      {
        "description": "Written by Holdfast.",
        "type": "object",
        "properties": {
          "conditions": {
            "description": "Valid: whether Holdfast can use the policy. Programmed: whether proxies run it.",
            "type": "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["type"],
            "items": {
              "type": "object",
              "properties": {
                "type": {"type": "string", "minLength": 1, "maxLength": 316},
                "status": {"type": "string", "enum": ["True", "False", "Unknown"]},
                "observedGeneration": {"type": "integer", "format": "int64", "minimum": 0},
                "lastTransitionTime": {"type": "string", "format": "date-time"},
                "reason": {"type": "string", "minLength": 1, "maxLength": 1024,
                  "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},
                "message": {"type": "string", "maxLength": 32768}
              },
              "required": ["type", "status", "lastTransitionTime", "reason", "message"]
            }
          }
        }
      }
      """;

  /** What a schema cannot say of the spec. */
  private static final String RULES =
      """
      [
        {
          "rule": "has(self.perRoute) && size(self.perRoute) > 0 || has(self.httpFilters) && size(self.httpFilters) > 0",
          "message": "empty policy (expected: perRoute or httpFilters)"
        }
      ]
      """;

  private CustomResource() {}

  /** The definition, as YAML. */
  static String of(String schemaJson) {
    JsonObject schema = JsonParser.parseString(schemaJson).getAsJsonObject();
    JsonObject spec = structural(schema.getAsJsonObject("properties").getAsJsonObject("spec"));
    spec.add("x-kubernetes-validations", JsonParser.parseString(RULES));

    JsonObject properties = new JsonObject();
    properties.add("apiVersion", type("string"));
    properties.add("kind", type("string"));
    properties.add("metadata", type("object"));
    properties.add("spec", spec);
    properties.add("status", JsonParser.parseString(STATUS));
    JsonObject root = new JsonObject();
    root.addProperty("description", withoutLinks(schema.get("description").getAsString()));
    root.addProperty("type", "object");
    root.add("properties", properties);
    JsonArray required = new JsonArray();
    required.add("spec");
    root.add("required", required);

    JsonObject definition = JsonParser.parseString(DEFINITION).getAsJsonObject();
    JsonObject version =
        definition.getAsJsonObject("spec").getAsJsonArray("versions").get(0).getAsJsonObject();
    JsonObject outer = new JsonObject();
    outer.add("openAPIV3Schema", root);
    version.add("schema", outer);
    return "# SPDX-License-Identifier: Apache-2.0\n"
        + "# Written by CustomResourceTest from schemas/extensionpolicy.json; do not edit.\n"
        + YamlText.of(definition);
  }

  private static JsonObject structural(JsonObject schema) {
    JsonObject result = new JsonObject();
    schema
        .asMap()
        .forEach(
            (key, value) -> {
              if (!LEFT_OUT.contains(key)) {
                result.add(key, key.equals("properties") ? fields(value) : inner(key, value));
              }
            });
    JsonObject properties = schema.getAsJsonObject("properties");
    if (properties != null && properties.has("@type")) {
      // Its other fields are those of any message of Envoy.
      result.addProperty("x-kubernetes-preserve-unknown-fields", true);
    }
    if (isNamedList(schema)) {
      JsonArray keys = new JsonArray();
      keys.add("name");
      result.addProperty("x-kubernetes-list-type", "map");
      result.add("x-kubernetes-list-map-keys", keys);
    }
    return result;
  }

  private static JsonElement inner(String key, JsonElement value) {
    return key.equals("items") ? structural(value.getAsJsonObject()) : value;
  }

  private static JsonObject fields(JsonElement properties) {
    JsonObject result = new JsonObject();
    properties
        .getAsJsonObject()
        .asMap()
        .forEach((name, field) -> result.add(name, structural(field.getAsJsonObject())));
    return result;
  }

  /** Every list of the kind is one of things with a name that is unique in it. */
  private static boolean isNamedList(JsonObject schema) {
    return schema.has("items")
        && schema.getAsJsonObject("items").has("required")
        && schema
            .getAsJsonObject("items")
            .getAsJsonArray("required")
            .toString()
            .contains("\"name\"");
  }

  private static JsonObject type(String type) {
    JsonObject json = new JsonObject();
    json.addProperty("type", type);
    return json;
  }

  /** {@code kubectl explain} shows the text where no page is beside it. */
  private static String withoutLinks(String description) {
    return description.replaceAll(" \\[[^]]*]\\([^)]*\\)\\.", "");
  }
}
