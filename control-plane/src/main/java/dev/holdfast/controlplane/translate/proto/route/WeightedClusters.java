// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.UInt32Value;
import dev.holdfast.controlplane.objects.httpproxy.CookieRewrite;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster;
import io.envoyproxy.envoy.config.route.v3.WeightedCluster.ClusterWeight;
import java.util.List;
import java.util.Map;

/** Weighted clusters of a route. */
final class WeightedClusters {
  private WeightedClusters() {}

  /** Clusters with the changes of headers and cookies of each service. */
  static WeightedCluster of(List<Target> targets, RouteSpec spec) {
    WeightedCluster.Builder clusters = WeightedCluster.newBuilder();
    for (Target target : targets) {
      RouteService service = target.service();
      Map<String, String> substitutes =
          Map.of(
              "CONTOUR_NAMESPACE", spec.namespace(),
              "CONTOUR_SERVICE_NAME", service.name(),
              "CONTOUR_SERVICE_PORT", String.valueOf(service.port()));
      ClusterWeight.Builder cluster =
          weight(target, targets)
              .addAllRequestHeadersToAdd(HeaderMutations.set(service.requestHeaders(), substitutes))
              .addAllRequestHeadersToRemove(HeaderMutations.remove(service.requestHeaders()))
              .addAllResponseHeadersToAdd(
                  HeaderMutations.set(service.responseHeaders(), substitutes))
              .addAllResponseHeadersToRemove(HeaderMutations.remove(service.responseHeaders()));
      String host = HeaderMutations.literalHost(service.requestHeaders());
      if (host != null) {
        cluster.setHostRewriteLiteral(host);
      }
      if (!service.cookieRewrites().isEmpty()) {
        cluster.putTypedPerFilterConfig(
            FilterConfigs.COOKIES,
            CookieRewrites.of(
                CookieRewrite.merged(spec.route().cookieRewrites(), service.cookieRewrites())));
      }
      clusters.addClusters(cluster);
    }
    return clusters.build();
  }

  /** Clusters with weights only. */
  static WeightedCluster plain(List<Target> targets) {
    WeightedCluster.Builder clusters = WeightedCluster.newBuilder();
    targets.forEach(target -> clusters.addClusters(weight(target, targets)));
    return clusters.build();
  }

  /** If no target has a weight, all get the same weight. */
  private static ClusterWeight.Builder weight(Target target, List<Target> all) {
    boolean none = all.stream().allMatch(one -> one.service().weight() == 0);
    return ClusterWeight.newBuilder()
        .setName(target.cluster())
        .setWeight(UInt32Value.of(none ? 1 : (int) target.service().weight()));
  }
}
