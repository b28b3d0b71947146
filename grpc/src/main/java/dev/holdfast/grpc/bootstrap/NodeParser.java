// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import com.google.gson.JsonObject;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.Node;
import org.jspecify.annotations.Nullable;

/** {@code node}: as much of the message as a bootstrap may say. */
final class NodeParser {
  private NodeParser() {}

  static Node parse(@Nullable Fields fields) {
    Node.Builder node = Node.newBuilder();
    if (fields == null) {
      return node.build();
    }
    node.setId(orEmpty(fields.string("id"))).setCluster(orEmpty(fields.string("cluster")));
    if (fields.object("metadata") != null && fields.get("metadata") instanceof JsonObject object) {
      node.setMetadata(JsonValues.toStruct(object));
    }
    Fields locality = fields.object("locality");
    if (locality != null) {
      // JSON of a message knows both spellings of a field.
      String subZone = locality.has("sub_zone") ? "sub_zone" : "subZone";
      node.setLocality(
          Locality.newBuilder()
              .setRegion(orEmpty(locality.string("region")))
              .setZone(orEmpty(locality.string("zone")))
              .setSubZone(orEmpty(locality.string(subZone))));
    }
    return node.build();
  }

  private static String orEmpty(@Nullable String value) {
    return value == null ? "" : value;
  }
}
