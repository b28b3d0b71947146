// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** Where objects are in an API server, by what they say of themselves. */
final class KubePaths {
  private KubePaths() {}

  static String kind(JsonObject object) {
    return object.get("kind").getAsString();
  }

  static String name(JsonObject object) {
    return object.getAsJsonObject("metadata").get("name").getAsString();
  }

  static String namespace(JsonObject object) {
    JsonElement namespace = object.getAsJsonObject("metadata").get("namespace");
    return namespace == null ? "default" : namespace.getAsString();
  }

  static String describe(JsonObject object) {
    return kind(object) + " " + name(object);
  }

  /** The path of an API version. */
  static String root(JsonObject object) {
    String version = object.get("apiVersion").getAsString();
    return (version.indexOf('/') < 0 ? "/api/" : "/apis/") + version;
  }

  static String path(JsonObject object, String plural, boolean namespaced) {
    return root(object)
        + (namespaced ? "/namespaces/" + namespace(object) : "")
        + "/"
        + plural
        + "/"
        + name(object);
  }
}
