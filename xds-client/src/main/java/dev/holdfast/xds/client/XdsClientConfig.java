// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything a client needs to know before it starts. Immutable; see {@link #builder}.
 *
 * @param node who this client is; sent in the first request of each stream
 * @param servers who answers for names without authority, in order of preference
 * @param authorities who answers for {@code xdstp://authority/...}
 * @param protocol which variant of the protocol to speak
 * @param behaviour timers, backoff and switches
 */
public record XdsClientConfig(
    Node node,
    List<ServerConfig> servers,
    SortedMap<String, AuthorityConfig> authorities,
    AdsProtocol protocol,
    Behaviour behaviour) {

  public XdsClientConfig {
    servers = List.copyOf(servers);
    authorities = Collections.unmodifiableSortedMap(new TreeMap<>(authorities));
  }

  /** A builder with default behaviour and the state-of-the-world protocol. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds a configuration. */
  public static final class Builder {
    private Node node = Node.getDefaultInstance();
    private List<ServerConfig> servers = List.of();
    private Map<String, AuthorityConfig> authorities = Map.of();
    private AdsProtocol protocol = AdsProtocol.SOTW;
    private Behaviour behaviour = Behaviour.defaults();

    private Builder() {}

    public Builder node(Node node) {
      this.node = node;
      return this;
    }

    public Builder nodeId(String id) {
      return node(Node.newBuilder().setId(id).build());
    }

    public Builder servers(ServerConfig... servers) {
      return servers(List.of(servers));
    }

    public Builder servers(List<ServerConfig> servers) {
      this.servers = servers;
      return this;
    }

    public Builder authorities(Map<String, AuthorityConfig> authorities) {
      this.authorities = authorities;
      return this;
    }

    public Builder protocol(AdsProtocol protocol) {
      this.protocol = protocol;
      return this;
    }

    public Builder behaviour(Behaviour behaviour) {
      this.behaviour = behaviour;
      return this;
    }

    public XdsClientConfig build() {
      return new XdsClientConfig(node, servers, new TreeMap<>(authorities), protocol, behaviour);
    }
  }
}
