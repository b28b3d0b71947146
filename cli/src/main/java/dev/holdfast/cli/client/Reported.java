// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import com.google.gson.JsonObject;

/** An object as the server reports it. */
public final class Reported {
  private Reported() {}

  /** {@code KIND/NAMESPACE/NAME}. */
  public static String key(JsonObject object) {
    return Items.text(object, "kind")
        + "/"
        + Items.text(object, "namespace")
        + "/"
        + Items.text(object, "name");
  }

  /** Where an object is in the API. */
  public static String path(JsonObject object) {
    return path(
        Items.text(object, "kind"), Items.text(object, "namespace"), Items.text(object, "name"));
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
    return Items.of(object, "conditions").stream()
        .filter(condition -> Items.text(condition, "type").equals(type))
        .findFirst()
        .orElseGet(JsonObject::new);
  }
}
