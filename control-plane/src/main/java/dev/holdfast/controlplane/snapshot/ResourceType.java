// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The types that are served, in the order in which additions go out: what is referred to goes
 * before what refers to it. Removals go the other way.
 */
public enum ResourceType {
  CLUSTER("Cluster", "envoy.config.cluster.v3.Cluster", Listing.WILDCARD),
  ENDPOINTS(
      "ClusterLoadAssignment", "envoy.config.endpoint.v3.ClusterLoadAssignment", Listing.BY_NAME),
  LISTENER("Listener", "envoy.config.listener.v3.Listener", Listing.WILDCARD),
  SECRET("Secret", "envoy.extensions.transport_sockets.tls.v3.Secret", Listing.BY_NAME),
  EXTENSION("TypedExtensionConfig", "envoy.config.core.v3.TypedExtensionConfig", Listing.BY_NAME),
  ROUTES("RouteConfiguration", "envoy.config.route.v3.RouteConfiguration", Listing.BY_NAME);

  /** All of them, in order. */
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

  /** The type of that URL; null if it is not served. */
  public static @Nullable ResourceType ofTypeUrl(String typeUrl) {
    return BY_URL.get(typeUrl);
  }

  /** What people call it: the message's simple name. */
  public String word() {
    return word;
  }

  public String typeUrl() {
    return typeUrl;
  }

  /**
   * Whether a subscription may ask for all of them, and a SotW response holds all that are
   * subscribed to.
   */
  public boolean isWildcard() {
    return listing == Listing.WILDCARD;
  }
}
