// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.proto;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;

/** The gist of a resource in a few words. */
public final class ResourceSummary {
  private ResourceSummary() {}

  public static String of(Message resource) {
    if (resource instanceof Listener listener) {
      return listener(listener);
    }
    if (resource instanceof RouteConfiguration routes) {
      int count =
          routes.getVirtualHostsList().stream().mapToInt(host -> host.getRoutesCount()).sum();
      return count(routes.getVirtualHostsCount(), "virtual host") + ", " + count(count, "route");
    }
    if (resource instanceof Cluster cluster) {
      return cluster(cluster);
    }
    if (resource instanceof ClusterLoadAssignment assignment) {
      int count =
          assignment.getEndpointsList().stream()
              .mapToInt(locality -> locality.getLbEndpointsCount())
              .sum();
      return count(assignment.getEndpointsCount(), "locality", "localities")
          + ", "
          + count(count, "endpoint");
    }
    return count(resource.getSerializedSize(), "byte");
  }

  private static String listener(Listener listener) {
    if (listener.hasApiListener()) {
      return "API listener" + routes(listener.getApiListener().getApiListener());
    }
    SocketAddress address = listener.getAddress().getSocketAddress();
    return "socket listener on "
        + address.getAddress()
        + ":"
        + address.getPortValue()
        + ", "
        + count(listener.getFilterChainsCount(), "filter chain");
  }

  private static String routes(Any manager) {
    if (!manager.is(HttpConnectionManager.class)) {
      return "";
    }
    try {
      HttpConnectionManager http = manager.unpack(HttpConnectionManager.class);
      return http.hasRds()
          ? ", routes from " + http.getRds().getRouteConfigName()
          : ", inline routes: " + of(http.getRouteConfig());
    } catch (InvalidProtocolBufferException e) {
      return "";
    }
  }

  private static String cluster(Cluster cluster) {
    if (cluster.hasClusterType()) {
      return cluster.getClusterType().getName();
    }
    String service = cluster.getEdsClusterConfig().getServiceName();
    return cluster.getType() + (service.isEmpty() ? "" : ", endpoints from " + service);
  }

  private static String count(int count, String noun) {
    return count(count, noun, noun + "s");
  }

  private static String count(int count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }
}
