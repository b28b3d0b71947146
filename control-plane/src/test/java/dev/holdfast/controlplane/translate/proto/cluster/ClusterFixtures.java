// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.proto.ConfigSources;
import dev.holdfast.controlplane.translate.proto.Text;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import java.time.Duration;

/** Clusters for the first service of a route. */
final class ClusterFixtures {
  static final ConfigSource ADS = ConfigSources.ads(Duration.ofSeconds(5));

  private ClusterFixtures() {}

  static Service service(String annotations) {
    return YamlFixtures.object(
        Service.class,
        """
        apiVersion: v1
        kind: Service
        metadata: {name: s, namespace: shop, annotations: {%s}}
        spec: {ports: [{name: http, port: 80}, {name: https, port: 443}]}
        """
            .formatted(annotations));
  }

  static Cluster cluster(String route) {
    return cluster(service(""), route);
  }

  static Cluster cluster(Service service, String route) {
    return cluster(spec(service, YamlFixtures.route(route)));
  }

  static Cluster cluster(ClusterSpec spec) {
    return Clusters.of(spec, ADS, Duration.ofSeconds(2));
  }

  static ClusterSpec spec(Service service, Route route) {
    if (!(route.action() instanceof Route.Forward forward)) {
      throw new AssertionError("no services");
    }
    RouteService first = forward.services().get(0);
    return new ClusterSpec(
        "shop/s/80",
        new ClusterSpec.Endpoints("shop/s/http"),
        service.settings(),
        Protocols.of(first.protocol(), service, service.ports().get(0)),
        new UpstreamTls(
            UpstreamTls.serverName(first.requestHeaders(), route.requestHeaders()),
            first.validation() == null
                ? null
                : new UpstreamTls.Validation("shop/ca/ca", first.validation().subjectNames()),
            null,
            Tls.Version.TLS_1_2,
            Tls.Version.TLS_1_3),
        route.loadBalancing(),
        route.healthCheck(),
        route.timeouts().idleConnection());
  }

  static HttpProtocolOptions http(Cluster cluster) {
    return Text.unpack(
        cluster
            .getTypedExtensionProtocolOptionsMap()
            .getOrDefault(
                "envoy.extensions.upstreams.http.v3.HttpProtocolOptions", Any.getDefaultInstance()),
        HttpProtocolOptions.class);
  }
}
