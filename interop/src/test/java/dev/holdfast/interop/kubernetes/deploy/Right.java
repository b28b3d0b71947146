// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing that somebody may do.
 *
 * @param verb as RBAC calls it
 * @param group empty for the core group
 * @param resource with the subresource, such as {@code httpproxies/status}
 */
record Right(String verb, String group, String resource) implements Comparable<Right> {
  private static final Pattern PATH =
      Pattern.compile(
          "/(?:api|apis/(?<group>[^/]+))/[^/]+(?:/namespaces/[^/]+)?/(?<plural>[^/?]+)"
              + "(?:/(?<name>[^/?]+))?(?<sub>/[^/?]+)?(?:\\?.*)?");

  @Override
  public int compareTo(Right other) {
    return Comparator.comparing(Right::group)
        .thenComparing(Right::resource)
        .thenComparing(Right::verb)
        .compare(this, other);
  }

  /** The right that a request needs. */
  static Right of(String method, String path) {
    Matcher parts = PATH.matcher(path);
    if (!parts.matches()) {
      throw new IllegalArgumentException("path: " + path);
    }
    String verb =
        switch (method) {
          case "GET" -> parts.group("name") == null ? "list" : "get";
          case "POST" -> "create";
          case "PUT" -> "update";
          case "PATCH" -> "patch";
          case "DELETE" -> "delete";
          default -> method;
        };
    return new Right(
        verb,
        parts.group("group") == null ? "" : parts.group("group"),
        parts.group("plural") + (parts.group("sub") == null ? "" : parts.group("sub")));
  }

  /** All that a role grants. */
  static SortedSet<Right> grantedBy(JsonObject role) {
    SortedSet<Right> rights = new TreeSet<>();
    for (JsonElement each : role.getAsJsonArray("rules")) {
      JsonObject rule = each.getAsJsonObject();
      for (JsonElement group : rule.getAsJsonArray("apiGroups")) {
        for (JsonElement resource : rule.getAsJsonArray("resources")) {
          for (JsonElement verb : rule.getAsJsonArray("verbs")) {
            rights.add(new Right(verb.getAsString(), group.getAsString(), resource.getAsString()));
          }
        }
      }
    }
    return rights;
  }

  /** The same role without this right. */
  JsonObject takenFrom(JsonObject role) {
    JsonArray rules = new JsonArray();
    for (Right right : grantedBy(role)) {
      if (!right.equals(this)) {
        JsonObject rule = new JsonObject();
        rule.add("apiGroups", list(right.group));
        rule.add("resources", list(right.resource));
        rule.add("verbs", list(right.verb));
        rules.add(rule);
      }
    }
    JsonObject less = role.deepCopy();
    less.add("rules", rules);
    return less;
  }

  /** A question for the API server, whether a user has this right. */
  String review(String user, String namespace) {
    int slash = resource.indexOf('/');
    return """
        {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": {"user": "%s",
        "resourceAttributes": {"verb": "%s", "group": "%s", "resource": "%s", "subresource": "%s", "namespace": "%s"}}}
        """
        .formatted(
            user,
            verb,
            group,
            slash < 0 ? resource : resource.substring(0, slash),
            slash < 0 ? "" : resource.substring(slash + 1),
            namespace);
  }

  private static JsonArray list(String one) {
    JsonArray list = new JsonArray();
    list.add(one);
    return list;
  }

  @Override
  public String toString() {
    return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
  }
}
