// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The resource types that are served, in the order in which additions are sent: a resource goes
 * before those that refer to it. Removals are sent in the reverse order.
 */
public enum ResourceType {
  CLUSTER("Cluster", "envoy.config.cluster.v3.Cluster", Listing.WILDCARD),
  ENDPOINTS(
      "ClusterLoadAssignment", "envoy.config.endpoint.v3.ClusterLoadAssignment", Listing.BY_NAME),
  LISTENER("Listener", "envoy.config.listener.v3.Listener", Listing.WILDCARD),
  SECRET("Secret", "envoy.extensions.transport_sockets.tls.v3.Secret", Listing.BY_NAME),
  EXTENSION("TypedExtensionConfig", "envoy.config.core.v3.TypedExtensionConfig", Listing.BY_NAME),
  ROUTES("RouteConfiguration", "envoy.config.route.v3.RouteConfiguration", Listing.BY_NAME),
  VIRTUAL_HOST("VirtualHost", "envoy.config.route.v3.VirtualHost", Listing.WILDCARD);

  /** All types, in sending order. */
  public static final List<ResourceType> ALL = List.of(values());

  private static final Map<String, ResourceType> BY_URL =
      Arrays.stream(values()).collect(Collectors.toMap(ResourceType::typeUrl, Function.identity()));

  private enum Listing {
    WILDCARD,
    BY_NAME
  }

  private final String word;
  private final String typeUrl;
  private final Listing listing;

  ResourceType(String word, String message, Listing listing) {
    this.word = word;
    this.typeUrl = "type.googleapis.com/" + message;
    this.listing = listing;
  }

  /** The type with this URL; null if it is not served. */
  public static @Nullable ResourceType ofTypeUrl(String typeUrl) {
    return BY_URL.get(typeUrl);
  }

  /** The simple name of the message, as shown to people. */
  public String word() {
    return word;
  }

  public String typeUrl() {
    return typeUrl;
  }

  /**
   * Whether a proxy may subscribe to all resources of the type. If so, a SotW response must contain
   * all subscribed resources.
   */
  public boolean isWildcard() {
    return listing == Listing.WILDCARD;
  }

  /**
   * Whether Envoy takes each resource of a response by itself, and names those that it rejects. Of
   * other types, a rejection may concern any resource of the response.
   */
  public boolean isTakenOneByOne() {
    return this == CLUSTER || this == LISTENER;
  }
}
