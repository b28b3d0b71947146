// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import com.google.gson.JsonObject;

/** An object as the server reports it. */
public final class ReportedObject {
  private ReportedObject() {}

  /** {@code KIND/NAMESPACE/NAME}. */
  public static String key(JsonObject object) {
    return JsonFields.text(object, "kind")
        + "/"
        + JsonFields.text(object, "namespace")
        + "/"
        + JsonFields.text(object, "name");
  }

  /** Where an object is in the API. */
  public static String path(JsonObject object) {
    return path(
        JsonFields.text(object, "kind"),
        JsonFields.text(object, "namespace"),
        JsonFields.text(object, "name"));
  }

  /** Where an object would be in the API. */
  public static String path(String kind, String namespace, String name) {
    return "/api/v1/objects/"
        + AdminClient.encode(kind)
        + "/"
        + AdminClient.encode(namespace)
        + "/"
        + AdminClient.encode(name);
  }

  /** The condition of a type; empty if there is none. */
  public static JsonObject condition(JsonObject object, String type) {
    return JsonFields.of(object, "conditions").stream()
        .filter(condition -> JsonFields.text(condition, "type").equals(type))
        .findFirst()
        .orElseGet(JsonObject::new);
  }
}
