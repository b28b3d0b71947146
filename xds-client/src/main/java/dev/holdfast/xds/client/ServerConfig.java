// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One xDS server. Equal configurations share one connection; a difference in address, credentials
 * or features makes two.
 *
 * @param uri where it is, in the transport's syntax ({@code host:port} or a gRPC target)
 * @param credentials those of the connection
 * @param callCredentials what each stream shows in addition (gRFC A97); often none
 */
public record ServerConfig(
    String uri,
    Credentials credentials,
    List<Credentials> callCredentials,
    Set<ServerFeature> features) {
  public ServerConfig {
    requireNonNull(uri, "uri");
    requireNonNull(credentials, "credentials");
    callCredentials = List.copyOf(callCredentials);
    EnumSet<ServerFeature> ordered = EnumSet.noneOf(ServerFeature.class);
    ordered.addAll(features);
    features = Collections.unmodifiableSet(ordered);
  }

  /** A server whose streams show nothing in addition. */
  public ServerConfig(String uri, Credentials credentials, Set<ServerFeature> features) {
    this(uri, credentials, List.of(), features);
  }

  /** A server without encryption and features. */
  public static ServerConfig insecure(String uri, ServerFeature... features) {
    return new ServerConfig(uri, Credentials.insecure(), Set.of(features));
  }

  /** Whether the bootstrap ascribes {@code feature} to this server. */
  public boolean has(ServerFeature feature) {
    return features.contains(feature);
  }
}
