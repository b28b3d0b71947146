// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.route.v3.DirectResponseAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import java.util.List;

/** Resources that replace missing ones for which Envoy would wait; the docs call them stand-ins. */
final class PlaceholderResources {
  private static final int UNAVAILABLE = 503;

  private PlaceholderResources() {}

  /** Routes that answer every request with 503: a listener without routes would answer 404. */
  static Resource routes(String name) {
    VirtualHost.Builder host = unavailable("holdfast/unavailable", List.of("*"));
    return of(
        ResourceType.ROUTES,
        name,
        RouteConfiguration.newBuilder().setName(name).addVirtualHosts(host).build());
  }

  /**
   * A host that answers every request with 503, in place of one: without it, requests would get to
   * the host for all names, whose author is another one.
   */
  static Resource host(Resource original) {
    try {
      List<String> domains = VirtualHost.parseFrom(original.body()).getDomainsList();
      return of(
          ResourceType.VIRTUAL_HOST,
          original.name(),
          Resource.Audience.ALL,
          unavailable(original.name(), domains).build());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(original + " is not a virtual host", e);
    }
  }

  private static VirtualHost.Builder unavailable(String name, List<String> domains) {
    return VirtualHost.newBuilder()
        .setName(name)
        .addAllDomains(domains)
        .addRoutes(
            Route.newBuilder()
                .setMatch(RouteMatch.newBuilder().setPrefix("/"))
                .setDirectResponse(
                    DirectResponseAction.newBuilder()
                        .setStatus(UNAVAILABLE)
                        .setBody(
                            DataSource.newBuilder()
                                .setInlineString("no accepted configuration for this host\n"))));
  }

  /**
   * An empty set of endpoints: a cluster that waits for endpoints would block all other updates.
   */
  static Resource endpoints(String name) {
    return of(
        ResourceType.ENDPOINTS,
        name,
        ClusterLoadAssignment.newBuilder().setClusterName(name).build());
  }

  /**
   * A filter that does nothing, before the first version of a filter: without one, Envoy would
   * answer every request with 500 if it rejects that version. Routes that enable the filter are
   * sent after it. Listeners accept this type besides the filter's own.
   */
  static Resource idleFilter(String name) {
    return filter(name, RBAC.getDefaultInstance());
  }

  static boolean isIdleFilter(Resource resource) {
    return resource.equals(idleFilter(resource.name()));
  }

  /**
   * A filter that refuses every request, for an Envoy that rejected a filter which others of its
   * class run, and never had another version of it: its routes must not be open without it.
   */
  static Resource refusingFilter(String name) {
    return filter(
        name,
        RBAC.newBuilder()
            .setRules(
                io.envoyproxy
                    .envoy
                    .config
                    .rbac
                    .v3
                    .RBAC
                    .newBuilder()
                    .setAction(io.envoyproxy.envoy.config.rbac.v3.RBAC.Action.ALLOW))
            .build());
  }

  static boolean isPlaceholder(Resource resource) {
    String name = resource.name();
    return switch (resource.id().type()) {
      case ROUTES -> resource.equals(routes(name));
      case VIRTUAL_HOST -> resource.contributions().isEmpty() && resource.equals(host(resource));
      case ENDPOINTS -> resource.equals(endpoints(name));
      case EXTENSION -> isIdleFilter(resource) || resource.equals(refusingFilter(name));
      case CLUSTER, LISTENER, SECRET -> false;
    };
  }

  private static Resource filter(String name, RBAC config) {
    return of(
        ResourceType.EXTENSION,
        name,
        TypedExtensionConfig.newBuilder().setName(name).setTypedConfig(Any.pack(config)).build());
  }

  private static Resource of(ResourceType type, String name, Message message) {
    return of(type, name, Resource.Audience.BY_NAME, message);
  }

  private static Resource of(
      ResourceType type, String name, Resource.Audience audience, Message message) {
    ByteString body = Digests.serialise(message);
    return new Resource(
        new ResourceId(type, name),
        Digests.of(body),
        body,
        audience,
        PersistentMap.empty(),
        PersistentMap.empty(),
        List::of);
  }
}
