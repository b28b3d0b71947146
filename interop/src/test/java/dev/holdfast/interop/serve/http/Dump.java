// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.EnvoyAdmin;
import java.util.Optional;

/** What Envoy says its configuration is; for fields whose effect would take too long to see. */
final class Dump {
  private Dump() {}

  /** A virtual host of the routes for plain HTTP. */
  static JsonObject virtualHost(EnvoyAdmin admin, String name) {
    for (JsonObject entry : admin.configDump("dynamic_route_configs")) {
      JsonObject routes = entry.getAsJsonObject("route_config");
      if (routes.get("name").getAsString().equals("ingress_http")) {
        for (JsonElement host : routes.getAsJsonArray("virtual_hosts")) {
          if (host.getAsJsonObject().get("name").getAsString().equals(name)) {
            return host.getAsJsonObject();
          }
        }
      }
    }
    throw new AssertionError("no virtual host " + name);
  }

  /** What the only route of a virtual host does. */
  static JsonObject action(EnvoyAdmin admin, String virtualHost) {
    return virtualHost(admin, virtualHost)
        .getAsJsonArray("routes")
        .get(0)
        .getAsJsonObject()
        .getAsJsonObject("route");
  }

  /** A cluster, as soon as it is in force. */
  static JsonObject cluster(EnvoyAdmin admin, String name) {
    admin.await("a cluster " + name, () -> find(admin, name).isPresent());
    return find(admin, name).orElseThrow();
  }

  private static Optional<JsonObject> find(EnvoyAdmin admin, String name) {
    return admin.configDump("dynamic_active_clusters").stream()
        .map(entry -> entry.getAsJsonObject("cluster"))
        .filter(cluster -> cluster.get("name").getAsString().equals(name))
        .findFirst();
  }
}
