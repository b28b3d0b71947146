// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.httpproxy.TcpProxy;
import dev.holdfast.controlplane.objects.read.Timeout;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.ServicePorts;
import dev.holdfast.controlplane.translate.proto.cluster.UpstreamTls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clusters of one HTTPProxy.
 *
 * <p>Most services are used with default settings, and share one cluster named {@code
 * namespace/service/port}. If a route has settings for a service (a health check, a load balancing
 * strategy), the cluster belongs to the proxy: {@code namespace/service/port/proxy}; the second and
 * later policies for the same port get {@code .../2} and so on, in the order of the routes. So the
 * edit of a policy changes a cluster under its old name, routes with equal policies share a
 * cluster, and no cluster has settings of two authors.
 */
final class ProxyClusters {
  private final FactReader reader;
  private final HttpProxy proxy;

  /** The policies for each port, in the order of the routes. */
  private final Map<String, List<ClusterPolicy>> policies = new HashMap<>();

  private final List<List<@Nullable PlannedCluster>> routes = new ArrayList<>();
  private final List<@Nullable PlannedCluster> tcp = new ArrayList<>();

  private ProxyClusters(FactReader reader, HttpProxy proxy) {
    this.reader = reader;
    this.proxy = proxy;
  }

  static ProxyClusters of(HttpProxy proxy, FactReader reader) {
    ProxyClusters clusters = new ProxyClusters(reader, proxy);
    for (Route route : proxy.routes()) {
      List<@Nullable PlannedCluster> planned = new ArrayList<>();
      if (route.action() instanceof Route.Forward forward) {
        forward.services().forEach(service -> planned.add(clusters.plan(route, service)));
      }
      clusters.routes.add(planned);
    }
    TcpProxy tcpProxy = proxy.tcpProxy();
    if (tcpProxy != null) {
      tcpProxy.services().forEach(service -> clusters.tcp.add(clusters.plan(tcpProxy, service)));
    }
    return clusters;
  }

  /** The clusters of a route by service; null where a service cannot be used. */
  List<@Nullable PlannedCluster> ofRoute(int index) {
    return routes.get(index);
  }

  /** The clusters of the tcpproxy by service; null where a service cannot be used. */
  List<@Nullable PlannedCluster> ofTcp() {
    return tcp;
  }

  private @Nullable PlannedCluster plan(Route route, RouteService service) {
    return plan(
        service,
        new ClusterPolicy(
            route.loadBalancing(),
            route.healthCheck(),
            service.protocol(),
            service.validation(),
            route.timeouts().idleConnection(),
            UpstreamTls.serverName(service.requestHeaders(), route.requestHeaders())));
  }

  private @Nullable PlannedCluster plan(TcpProxy tcpProxy, RouteService service) {
    return plan(
        service,
        new ClusterPolicy(
            tcpProxy.loadBalancing(),
            tcpProxy.healthCheck(),
            service.protocol(),
            service.validation(),
            Timeout.DEFAULT,
            ""));
  }

  private @Nullable PlannedCluster plan(RouteService service, ClusterPolicy requested) {
    ObjectKey key = References.service(proxy.key().namespace(), service.name());
    ServicePorts ports = reader.ports(key);
    Service.Port port = ports.port(service.port());
    if (port == null || !canValidate(requested)) {
      return null;
    }
    Protocol protocol = requested.protocol() == null ? ports.protocol(port) : requested.protocol();
    boolean tls = protocol == Protocol.TLS || protocol == Protocol.H2;
    ClusterPolicy policy = tls ? requested : withoutServerName(requested);
    String plainName = ResourceNames.plainCluster(key, port.port());
    if (policy.equals(ClusterPolicy.PLAIN)) {
      return new PlannedCluster(plainName, key, port, policy, protocol, ports.externalName(), null);
    }
    List<ClusterPolicy> portPolicies =
        policies.computeIfAbsent(plainName, unused -> new ArrayList<>());
    if (!portPolicies.contains(policy)) {
      portPolicies.add(policy);
    }
    int number = portPolicies.indexOf(policy) + 1;
    String name = plainName + "/" + proxy.key().name() + (number == 1 ? "" : "/" + number);
    return new PlannedCluster(name, key, port, policy, protocol, ports.externalName(), proxy.key());
  }

  /**
   * Whether the authority of the upstream validation can be used: without it, the service gets no
   * requests.
   */
  private boolean canValidate(ClusterPolicy policy) {
    if (policy.validation() == null) {
      return true;
    }
    String namespace = proxy.key().namespace();
    return References.problem(
            reader,
            References.secret(policy.validation().caSecret(), namespace),
            namespace,
            References.Use.AUTHORITY)
        == null;
  }

  private static ClusterPolicy withoutServerName(ClusterPolicy policy) {
    return new ClusterPolicy(
        policy.loadBalancing(),
        policy.healthCheck(),
        policy.protocol(),
        policy.validation(),
        policy.idleConnection(),
        "");
  }
}
