// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.grpc.bootstrap.XdsBootstrap.Authority;
import dev.holdfast.grpc.bootstrap.XdsBootstrap.CertificateProvider;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The document itself. Fields that are not known are ignored, as gRFC A27 asks. */
final class BootstrapParser {
  private BootstrapParser() {}

  /** What could be read; only of use if no problem was reported. */
  static XdsBootstrap parse(Fields fields) {
    if (!fields.has("xds_servers")) {
      fields
          .problems()
          .at("xds_servers")
          .required("missing (expected: an array of at least one server)");
    } else if (fields.get("xds_servers") instanceof JsonArray servers && servers.isEmpty()) {
      fields.problems().at("xds_servers").required("empty (expected: at least one server)");
    }
    String clientTemplate = fields.string("client_default_listener_resource_name_template");
    return new XdsBootstrap(
        NodeParser.parse(fields.object("node")),
        ServerParser.parseAll(fields),
        authorities(fields),
        clientTemplate == null ? XdsBootstrap.DEFAULT_TEMPLATE : clientTemplate,
        fields.string("server_listener_resource_name_template"),
        certificateProviders(fields));
  }

  private static SortedMap<String, Authority> authorities(Fields fields) {
    SortedMap<String, Authority> authorities = new TreeMap<>();
    for (Map.Entry<String, Fields> entry : fields.entriesOf("authorities")) {
      authorities.put(entry.getKey(), AuthorityParser.parse(entry.getKey(), entry.getValue()));
    }
    return authorities;
  }

  private static SortedMap<String, CertificateProvider> certificateProviders(Fields fields) {
    SortedMap<String, CertificateProvider> providers = new TreeMap<>();
    for (Map.Entry<String, Fields> entry : fields.entriesOf("certificate_providers")) {
      Fields provider = entry.getValue();
      String plugin = provider.requiredString("plugin_name", "the name of a plugin");
      Map<String, ?> config = config(provider);
      if (plugin != null) {
        providers.put(entry.getKey(), new CertificateProvider(plugin, config));
      }
    }
    return providers;
  }

  /** The settings of whatever {@code fields} describes, which mean nothing to us. */
  static Map<String, ?> config(Fields fields) {
    return fields.object("config") != null && fields.get("config") instanceof JsonObject config
        ? JsonValues.toMap(config)
        : Map.of();
  }
}
