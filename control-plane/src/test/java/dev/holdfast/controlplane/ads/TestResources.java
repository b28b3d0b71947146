// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Small resources; the mark distinguishes two versions of the same name. */
public final class TestResources {
  private TestResources() {}

  public static ObjectKey owner(String name) {
    return new ObjectKey("HTTPProxy", "default", name);
  }

  public static Resource cluster(String name, String mark) {
    return cluster(name, mark, "");
  }

  /** A cluster whose endpoints have another name. */
  public static Resource cluster(String name, String mark, String endpoints) {
    Cluster.Builder cluster =
        Cluster.newBuilder().setName(name).setType(Cluster.DiscoveryType.EDS).setAltStatName(mark);
    cluster.getEdsClusterConfigBuilder().setServiceName(endpoints);
    return of(ResourceType.CLUSTER, name, cluster.build());
  }

  /** A cluster whose endpoints have another name. */
  public static Resource clusterOf(String name, String mark, String endpoints) {
    return of(
        ResourceType.CLUSTER,
        name,
        Cluster.newBuilder()
            .setName(name)
            .setType(Cluster.DiscoveryType.EDS)
            .setAltStatName(mark)
            .setEdsClusterConfig(Cluster.EdsClusterConfig.newBuilder().setServiceName(endpoints))
            .build());
  }

  /** A cluster whose endpoints have another name. */
  public static Resource clusterOf(String name, String endpoints) {
    Cluster.Builder cluster = Cluster.newBuilder().setName(name).setType(Cluster.DiscoveryType.EDS);
    cluster.getEdsClusterConfigBuilder().setServiceName(endpoints);
    return of(ResourceType.CLUSTER, name, cluster.build());
  }

  public static Resource endpoints(String name, String mark) {
    return of(
        ResourceType.ENDPOINTS,
        name,
        ClusterLoadAssignment.newBuilder()
            .setClusterName(name)
            .addEndpoints(
                io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints.newBuilder()
                    .setLocality(
                        io.envoyproxy.envoy.config.core.v3.Locality.newBuilder().setZone(mark)))
            .build());
  }

  public static Resource listener(String name, String mark) {
    return of(
        ResourceType.LISTENER,
        name,
        Listener.newBuilder().setName(name).setStatPrefix(mark).build());
  }

  /** A listener with filters that are discovered by name. */
  public static Resource filtering(String name, String... filters) {
    HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
    PersistentMap<String, String> names = PersistentMap.empty();
    for (String filter : filters) {
      manager.addHttpFilters(HttpFilter.newBuilder().setName(filter).setDisabled(true));
      names = names.with(filter, "");
    }
    manager.addHttpFilters(HttpFilter.newBuilder().setName("router"));
    return withFilters(
        of(
            ResourceType.LISTENER,
            name,
            Listener.newBuilder()
                .setName(name)
                .addFilterChains(
                    FilterChain.newBuilder()
                        .addFilters(Filter.newBuilder().setTypedConfig(Any.pack(manager.build()))))
                .build()),
        names);
  }

  /** The names of the filters of such a listener. */
  public static List<String> filters(@Nullable ByteString listener) {
    try {
      return Listener.parseFrom(requireNonNull(listener))
          .getFilterChains(0)
          .getFilters(0)
          .getTypedConfig()
          .unpack(HttpConnectionManager.class)
          .getHttpFiltersList()
          .stream()
          .map(HttpFilter::getName)
          .toList();
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  /** Routes that enable a filter. */
  public static Resource enabling(String name, String mark, String filter) {
    return withFilters(routes(name, mark), PersistentMap.<String, String>empty().with(filter, ""));
  }

  private static Resource withFilters(Resource resource, PersistentMap<String, String> filters) {
    return new Resource(
        resource.id(),
        resource.version(),
        resource.body(),
        resource.audience(),
        resource.contributions(),
        resource.clusters(),
        filters,
        resource.provenance());
  }

  public static Resource secret(String name, String mark) {
    return of(
        ResourceType.SECRET,
        name,
        Secret.newBuilder()
            .setName(name)
            .setTlsCertificate(
                io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsCertificate.newBuilder()
                    .setCertificateChain(
                        io.envoyproxy.envoy.config.core.v3.DataSource.newBuilder()
                            .setInlineString(mark)))
            .build());
  }

  public static Resource extension(String name, String mark) {
    return of(
        ResourceType.EXTENSION,
        name,
        TypedExtensionConfig.newBuilder()
            .setName(name)
            .setTypedConfig(com.google.protobuf.Any.newBuilder().setTypeUrl(mark))
            .build());
  }

  public static Resource routes(String name, String mark, String... clusters) {
    PersistentMap<String, String> needs = PersistentMap.empty();
    for (String cluster : clusters) {
      needs = needs.with(cluster, "");
    }
    return of(
        ResourceType.ROUTES,
        name,
        RouteConfiguration.newBuilder()
            .setName(name)
            .addVirtualHosts(VirtualHost.newBuilder().setName(mark).addDomains("*"))
            .build(),
        Resource.Audience.ALL,
        needs);
  }

  public static Resource byName(Resource resource) {
    return new Resource(
        resource.id(),
        resource.version(),
        resource.body(),
        Resource.Audience.BY_NAME,
        resource.contributions(),
        resource.clusters(),
        resource.provenance());
  }

  private static Resource of(ResourceType type, String name, Message message) {
    return of(type, name, message, Resource.Audience.ALL, PersistentMap.empty());
  }

  private static Resource of(
      ResourceType type,
      String name,
      Message message,
      Resource.Audience audience,
      PersistentMap<String, String> clusters) {
    ByteString body = Digests.serialise(message);
    String version = Digests.of(body);
    return new Resource(
        new ResourceId(type, name),
        version,
        body,
        audience,
        PersistentMap.<ObjectKey, String>empty().with(owner(name), version),
        clusters,
        List::of);
  }
}
