// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import dev.holdfast.xds.client.Credentials;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code xds_servers}, on top or inside of an authority. */
final class ServerParser {
  private ServerParser() {}

  /** All servers of a list; one that is named twice counts once. */
  static List<ServerConfig> parseAll(Fields fields) {
    Set<ServerConfig> servers = new LinkedHashSet<>();
    for (Fields element : fields.objects("xds_servers")) {
      ServerConfig server = parse(element);
      if (server != null) {
        servers.add(server);
      }
    }
    return List.copyOf(servers);
  }

  private static @Nullable ServerConfig parse(Fields fields) {
    String uri = fields.requiredString("server_uri", "host:port or another gRPC target");
    Credentials credentials = CredentialsParser.parse(fields);
    List<Credentials> callCredentials = CallCredentialsParser.parse(fields);
    Set<ServerFeature> features = features(fields);
    return uri == null || credentials == null
        ? null
        : new ServerConfig(uri, credentials, callCredentials, features);
  }

  /** Anything that is no feature we know is one that somebody else does. */
  private static Set<ServerFeature> features(Fields fields) {
    Set<ServerFeature> features = EnumSet.noneOf(ServerFeature.class);
    for (JsonElement element : fields.array("server_features")) {
      if (element instanceof JsonPrimitive primitive && primitive.isString()) {
        ServerFeature.parse(primitive.getAsString()).ifPresent(features::add);
      }
    }
    return features;
  }
}
