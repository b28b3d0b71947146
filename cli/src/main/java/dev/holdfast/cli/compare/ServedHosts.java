// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.cli.compare.ServedHost.PathMatch;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What resources mean for each host: {@code http://HOST} and {@code https://HOST}. Clusters are
 * known by their endpoints, and a route by what it matches.
 */
final class ServedHosts {
  /** Contour's listeners for operators, which no host of an object is on. */
  private static final Set<String> OPERATORS =
      Set.of("stats", "health", "stats-health", "health-om-enforced", "envoy-admin");

  private static final int LISTED_ENDPOINTS = 3;

  private final ServedResources resources;
  private final FieldTexts texts;

  /** The clusters that the route at hand refers to. */
  private final SortedMap<String, String> referred = new TreeMap<>();

  private final SortedMap<String, ServedHost> hosts = new TreeMap<>();

  private ServedHosts(ServedResources resources) {
    this.resources = resources;
    this.texts = new FieldTexts(resources, this::meaning);
  }

  static SortedMap<String, ServedHost> of(ServedResources resources)
      throws InvalidProtocolBufferException {
    ServedHosts hosts = new ServedHosts(resources);
    for (Listener listener : resources.listeners.values()) {
      if (!OPERATORS.contains(listener.getName()) && listener.hasAddress()) {
        List<FilterChain> chains = new ArrayList<>(listener.getFilterChainsList());
        if (listener.hasDefaultFilterChain()) {
          chains.add(listener.getDefaultFilterChain());
        }
        for (FilterChain chain : chains) {
          hosts.add(chain);
        }
      }
    }
    return hosts.hosts;
  }

  private void add(FilterChain chain) throws InvalidProtocolBufferException {
    List<String> names = chain.getFilterChainMatch().getServerNamesList();
    boolean isTls = chain.hasTransportSocket() || !names.isEmpty();
    for (Filter filter : chain.getFiltersList()) {
      Any config = filter.getTypedConfig();
      if (config.is(HttpConnectionManager.class)) {
        HttpConnectionManager manager = config.unpack(HttpConnectionManager.class);
        RouteConfiguration table =
            manager.hasRds()
                ? resources.routes.get(manager.getRds().getRouteConfigName())
                : manager.getRouteConfig();
        if (table != null) {
          for (VirtualHost host : table.getVirtualHostsList()) {
            add(chain, isTls, names, table, host);
          }
        }
      } else if (config.is(TcpProxy.class)) {
        for (String name : names.isEmpty() ? List.of("*") : names) {
          ServedHost served = host("tcp://" + name);
          addTls(chain, served);
          SortedMap<String, String> fields = fieldsWithClusters(config.unpack(TcpProxy.class));
          served.routes.putIfAbsent(
              "all connections", new ServedHost.Route(new PathMatch("", false, false), fields));
        }
      }
    }
  }

  private void add(
      FilterChain chain,
      boolean isTls,
      List<String> names,
      RouteConfiguration table,
      VirtualHost host)
      throws InvalidProtocolBufferException {
    SortedSet<String> domains = new TreeSet<>();
    host.getDomainsList().forEach(domain -> domains.add(domain.replaceFirst(":(\\*|[0-9]+)$", "")));
    for (String domain : domains) {
      if (isTls && !names.isEmpty() && !names.contains(domain)) {
        continue;
      }
      ServedHost served = host((isTls ? "https://" : "http://") + domain);
      if (!served.routes.isEmpty()) {
        continue; // a second filter chain for the same host, such as one for other certificates
      }
      addTls(chain, served);
      texts.add("virtual_host", withoutRoutes(table), served.settings);
      texts.add(
          "virtual_host",
          host.toBuilder().clearRoutes().clearDomains().clearName().build(),
          served.settings);
      served.settings.remove("virtual_host", "set");
      for (Route route : host.getRoutesList()) {
        add(route, served);
      }
    }
  }

  /** What a table says of all of its hosts. */
  private static RouteConfiguration withoutRoutes(RouteConfiguration table) {
    return RouteConfiguration.newBuilder()
        .addAllRequestHeadersToAdd(table.getRequestHeadersToAddList())
        .addAllRequestHeadersToRemove(table.getRequestHeadersToRemoveList())
        .addAllResponseHeadersToAdd(table.getResponseHeadersToAddList())
        .addAllResponseHeadersToRemove(table.getResponseHeadersToRemoveList())
        .build();
  }

  private ServedHost host(String key) {
    ServedHost host = hosts.get(key);
    if (host == null) {
      host = new ServedHost();
      hosts.put(key, host);
    }
    return host;
  }

  private void addTls(FilterChain chain, ServedHost served) {
    if (chain.hasTransportSocket()) {
      texts.add("tls", chain.getTransportSocket().getTypedConfig(), served.settings);
    }
  }

  // Routes.

  private void add(Route route, ServedHost served) {
    SortedMap<String, String> match = new TreeMap<>();
    texts.add("", route.getMatch(), match);
    Route rest = normal(route).toBuilder().clearMatch().clearName().clearMetadata().build();
    served.routes.putIfAbsent(
        matchText(route.getMatch(), match),
        new ServedHost.Route(path(route.getMatch()), fieldsWithClusters(rest)));
  }

  /** One cluster with all of the weight is that cluster; weights count as shares. */
  private static Route normal(Route route) {
    if (!route.hasRoute() || !route.getRoute().hasWeightedClusters()) {
      return route;
    }
    RouteAction.Builder action = route.getRoute().toBuilder();
    var weighted = action.getWeightedClusters().getClustersList();
    if (weighted.size() == 1 && isPlain(weighted.get(0))) {
      action.setCluster(weighted.get(0).getName());
      return route.toBuilder().setRoute(action).build();
    }
    long total = weighted.stream().mapToLong(each -> each.getWeight().getValue()).sum();
    var shares = action.getWeightedClusters().toBuilder();
    for (var share : shares.getClustersBuilderList()) {
      long weight = share.getWeight().getValue();
      share.getWeightBuilder().setValue(total == 0 ? 0 : (int) (weight * 10_000 / total));
    }
    return route.toBuilder().setRoute(action.setWeightedClusters(shares)).build();
  }

  private static boolean isPlain(
      io.envoyproxy.envoy.config.route.v3.WeightedCluster.ClusterWeight cluster) {
    return cluster.toBuilder().clearName().clearWeight().build().getSerializedSize() == 0;
  }

  /** The fields of a message, and those of the clusters that it refers to. */
  private SortedMap<String, String> fieldsWithClusters(Message message) {
    referred.clear();
    SortedMap<String, String> fields = new TreeMap<>();
    texts.add("", message, fields);
    new TreeMap<>(referred)
        .forEach(
            (name, meaning) -> {
              Cluster cluster = resources.clusters.get(name);
              if (cluster != null) {
                SortedMap<String, String> own = new TreeMap<>();
                texts.add(
                    "",
                    cluster.toBuilder()
                        .clearName()
                        .clearEdsClusterConfig()
                        .clearLoadAssignment()
                        .clearType()
                        .build(),
                    own);
                own.forEach((path, text) -> fields.put("cluster " + meaning + ": " + path, text));
              }
            });
    return fields;
  }

  private static PathMatch path(RouteMatch match) {
    return switch (match.getPathSpecifierCase()) {
      case PREFIX -> new PathMatch(match.getPrefix(), false, false);
      case PATH_SEPARATED_PREFIX -> new PathMatch(match.getPathSeparatedPrefix(), false, false);
      case PATH -> new PathMatch(match.getPath(), false, true);
      default -> new PathMatch("", true, false);
    };
  }

  private static String matchText(RouteMatch match, SortedMap<String, String> fields) {
    StringBuilder text = new StringBuilder();
    text.append(
        switch (match.getPathSpecifierCase()) {
          case PREFIX -> "prefix " + match.getPrefix();
          case PATH_SEPARATED_PREFIX -> "prefix " + match.getPathSeparatedPrefix() + "/";
          case PATH -> "path " + match.getPath();
          case SAFE_REGEX -> "regex " + match.getSafeRegex().getRegex();
          default -> "all";
        });
    fields.forEach(
        (path, value) -> {
          if (!path.equals("prefix")
              && !path.equals("path")
              && !path.equals("path_separated_prefix")
              && !path.startsWith("safe_regex")) {
            text.append(", ").append(path).append(' ').append(value);
          }
        });
    return text.toString();
  }

  // Clusters.

  /** The endpoints of a cluster. */
  private String meaning(String name) {
    Cluster cluster = resources.clusters.get(name);
    String meaning = cluster == null ? "not served" : endpoints(cluster);
    referred.put(name, meaning);
    return meaning;
  }

  private String endpoints(Cluster cluster) {
    String service = cluster.getEdsClusterConfig().getServiceName();
    ClusterLoadAssignment assignment =
        cluster.hasLoadAssignment()
            ? cluster.getLoadAssignment()
            : resources.endpoints.get(service.isEmpty() ? cluster.getName() : service);
    List<String> all = endpoints(assignment);
    if (all.isEmpty()) {
      return "no endpoints";
    }
    String joined = String.join(" ", all);
    return all.size() <= LISTED_ENDPOINTS
        ? joined
        : all.size() + " endpoints, " + FieldTexts.digest(joined.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> endpoints(@Nullable ClusterLoadAssignment assignment) {
    SortedSet<String> found = new TreeSet<>();
    if (assignment != null) {
      for (LocalityLbEndpoints locality : assignment.getEndpointsList()) {
        for (LbEndpoint endpoint : locality.getLbEndpointsList()) {
          SocketAddress address = endpoint.getEndpoint().getAddress().getSocketAddress();
          found.add(address.getAddress() + ":" + address.getPortValue());
        }
      }
    }
    return List.copyOf(found);
  }
}
