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
 * <p>Nobody wants anything special of most services, and one cluster named {@code
 * namespace/service/port} serves them all. Where routes do (a health check, a strategy), the
 * cluster belongs to the proxy: {@code namespace/service/port/proxy}, and the second and later
 * policies for the same port get {@code .../2} and so on, in the order of the routes. So an edit of
 * a policy is an edit of a cluster under its old name, routes that agree share a cluster, and no
 * two authors meet in one.
 */
final class ProxyClusters {
  private final FactReader reader;
  private final HttpProxy proxy;

  /** The policies for each port, in the order in which they were met. */
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
      List<@Nullable PlannedCluster> specs = new ArrayList<>();
      if (route.action() instanceof Route.Forward forward) {
        forward.services().forEach(service -> specs.add(clusters.spec(route, service)));
      }
      clusters.routes.add(specs);
    }
    TcpProxy tcpProxy = proxy.tcpProxy();
    if (tcpProxy != null) {
      tcpProxy.services().forEach(service -> clusters.tcp.add(clusters.spec(tcpProxy, service)));
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

  private @Nullable PlannedCluster spec(Route route, RouteService service) {
    return spec(
        service,
        new ClusterPolicy(
            route.loadBalancing(),
            route.healthCheck(),
            service.protocol(),
            service.validation(),
            route.timeouts().idleConnection(),
            UpstreamTls.serverName(service.requestHeaders(), route.requestHeaders())));
  }

  private @Nullable PlannedCluster spec(TcpProxy tcpProxy, RouteService service) {
    return spec(
        service,
        new ClusterPolicy(
            tcpProxy.loadBalancing(),
            tcpProxy.healthCheck(),
            service.protocol(),
            service.validation(),
            Timeout.DEFAULT,
            ""));
  }

  private @Nullable PlannedCluster spec(RouteService service, ClusterPolicy wanted) {
    ObjectKey key = References.service(proxy.key().namespace(), service.name());
    ServicePorts ports = reader.ports(key);
    Service.Port port = ports.port(service.port());
    if (port == null || !mayTrust(wanted)) {
      return null;
    }
    Protocol protocol = wanted.protocol() == null ? ports.protocol(port) : wanted.protocol();
    boolean tls = protocol == Protocol.TLS || protocol == Protocol.H2;
    ClusterPolicy policy = tls ? wanted : withoutServerName(wanted);
    String plain = ResourceNames.plainCluster(key, port.port());
    if (policy.equals(ClusterPolicy.PLAIN)) {
      return new PlannedCluster(plain, key, port, policy, protocol, null);
    }
    List<ClusterPolicy> known = policies.computeIfAbsent(plain, unused -> new ArrayList<>());
    if (!known.contains(policy)) {
      known.add(policy);
    }
    int number = known.indexOf(policy) + 1;
    String name = plain + "/" + proxy.key().name() + (number == 1 ? "" : "/" + number);
    return new PlannedCluster(name, key, port, policy, protocol, proxy.key());
  }

  /** Without the authority that the author wants asked, nothing is sent. */
  private boolean mayTrust(ClusterPolicy policy) {
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
