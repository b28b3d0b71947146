// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A response as the proxy reads it.
 *
 * @param bodies by name
 * @param errors by name
 */
public record ReceivedResponse(
    ResourceType type,
    String version,
    String nonce,
    Map<String, ByteString> bodies,
    List<String> removed,
    Map<String, String> errors,
    String identifier) {

  public static ReceivedResponse read(Protocol protocol, ByteString bytes) {
    try {
      return protocol == Protocol.SOTW
          ? sotw(DiscoveryResponse.parseFrom(bytes))
          : delta(DeltaDiscoveryResponse.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private static ReceivedResponse sotw(DiscoveryResponse response) {
    ResourceType type = Objects.requireNonNull(ResourceType.ofTypeUrl(response.getTypeUrl()));
    Map<String, ByteString> bodies = new TreeMap<>();
    response
        .getResourcesList()
        .forEach(
            any -> {
              if (!any.getTypeUrl().equals(response.getTypeUrl())) {
                throw new AssertionError(any.getTypeUrl());
              }
              bodies.put(nameOf(type, any.getValue()), any.getValue());
            });
    return new ReceivedResponse(
        type,
        response.getVersionInfo(),
        response.getNonce(),
        bodies,
        List.of(),
        errors(response.getResourceErrorsList()),
        response.getControlPlane().getIdentifier());
  }

  private static ReceivedResponse delta(DeltaDiscoveryResponse response) {
    Map<String, ByteString> bodies = new TreeMap<>();
    response
        .getResourcesList()
        .forEach(resource -> bodies.put(resource.getName(), resource.getResource().getValue()));
    return new ReceivedResponse(
        Objects.requireNonNull(ResourceType.ofTypeUrl(response.getTypeUrl())),
        response.getSystemVersionInfo(),
        response.getNonce(),
        bodies,
        response.getRemovedResourcesList(),
        errors(response.getResourceErrorsList()),
        response.getControlPlane().getIdentifier());
  }

  private static Map<String, String> errors(List<ResourceError> errors) {
    Map<String, String> byName = new TreeMap<>();
    errors.forEach(
        error ->
            byName.put(error.getResourceName().getName(), error.getErrorDetail().getMessage()));
    return byName;
  }

  /** All these messages have their name in the first field. */
  private static String nameOf(ResourceType type, ByteString body) {
    try {
      return switch (type) {
        case CLUSTER -> io.envoyproxy.envoy.config.cluster.v3.Cluster.parseFrom(body).getName();
        case ENDPOINTS ->
            io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment.parseFrom(body)
                .getClusterName();
        case LISTENER -> io.envoyproxy.envoy.config.listener.v3.Listener.parseFrom(body).getName();
        case SECRET ->
            io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret.parseFrom(body)
                .getName();
        case EXTENSION ->
            io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig.parseFrom(body).getName();
        case VIRTUAL_HOST ->
            io.envoyproxy.envoy.config.route.v3.VirtualHost.parseFrom(body).getName();
        case ROUTES ->
            io.envoyproxy.envoy.config.route.v3.RouteConfiguration.parseFrom(body).getName();
      };
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}
