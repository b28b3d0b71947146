// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import dev.holdfast.base.Problems;
import dev.holdfast.grpc.bootstrap.XdsBootstrap.Authority;
import dev.holdfast.grpc.bootstrap.XdsBootstrap.CertificateProvider;
import dev.holdfast.grpc.transport.CallSecurity;
import dev.holdfast.grpc.transport.ChannelSecurity;
import dev.holdfast.xds.client.Credentials;
import dev.holdfast.xds.client.ServerConfig;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds a bootstrap in code. */
public final class XdsBootstrapBuilder {
  private final List<ServerConfig> servers = new ArrayList<>();
  private final SortedMap<String, Authority> authorities = new TreeMap<>();
  private final SortedMap<String, CertificateProvider> certificateProviders = new TreeMap<>();
  private Node node = Node.getDefaultInstance();
  private String clientTemplate = XdsBootstrap.DEFAULT_TEMPLATE;
  private @Nullable String serverTemplate;

  XdsBootstrapBuilder() {}

  /** Who this process is. */
  public XdsBootstrapBuilder node(Node node) {
    this.node = node;
    return this;
  }

  /** Who this process is, if an id is all there is to say. */
  public XdsBootstrapBuilder nodeId(String id) {
    return node(node.toBuilder().setId(id).build());
  }

  /** Adds a server; earlier ones are preferred. */
  public XdsBootstrapBuilder server(ServerConfig server) {
    servers.add(server);
    return this;
  }

  public XdsBootstrapBuilder authority(String name, Authority authority) {
    authorities.put(name, authority);
    return this;
  }

  public XdsBootstrapBuilder clientDefaultListenerResourceNameTemplate(String template) {
    clientTemplate = template;
    return this;
  }

  public XdsBootstrapBuilder serverListenerResourceNameTemplate(String template) {
    serverTemplate = template;
    return this;
  }

  public XdsBootstrapBuilder certificateProvider(String name, CertificateProvider provider) {
    certificateProviders.put(name, provider);
    return this;
  }

  /** Checks as much as is checked in a file. */
  public XdsBootstrap build() {
    Problems problems = new Problems();
    check(servers, problems);
    if (servers.isEmpty()) {
      problems.at("xds_servers").required("missing (expected: at least one server)");
    }
    authorities.forEach(
        (name, authority) -> {
          Problems at = problems.at("authorities", name);
          check(authority.servers(), at);
          AuthorityParser.checkTemplate(name, authority.clientListenerResourceNameTemplate(), at);
        });
    if (problems.any()) {
      throw new BootstrapException("code", problems.list());
    }
    return new XdsBootstrap(
        node, servers, authorities, clientTemplate, serverTemplate, certificateProviders);
  }

  private static void check(List<ServerConfig> servers, Problems problems) {
    for (int i = 0; i < servers.size(); i++) {
      ServerConfig server = servers.get(i);
      Problems at = problems.at("xds_servers", i);
      if (server.uri().isEmpty()) {
        at.at("server_uri").required("empty (expected: host:port or another gRPC target)");
      }
      if (!ChannelSecurity.supportedTypes().contains(server.credentials().type())) {
        at.at("channel_creds")
            .unsupported(CredentialsParser.noneSupported(List.of(server.credentials().type())));
      }
      ChannelSecurity.check(server.credentials(), at.at("channel_creds", 0).at("config"));
      for (int j = 0; j < server.callCredentials().size(); j++) {
        Credentials credentials = server.callCredentials().get(j);
        if (CallSecurity.supportedTypes().contains(credentials.type())) {
          CallSecurity.check(credentials, at.at("call_creds", j).at("config"));
        } else {
          at.at("call_creds", j)
              .at("type")
              .unsupported(
                  credentials.type() + " (expected: one of " + CallSecurity.supportedTypes() + ")");
        }
      }
    }
  }
}
