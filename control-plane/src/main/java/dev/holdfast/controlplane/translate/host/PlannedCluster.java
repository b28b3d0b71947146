// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.service.Service;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that somebody needs.
 *
 * @param protocol what is spoken, be it by the policy or by the service's annotations; null for
 *     plain HTTP/1.1
 * @param owner whose policy it is; null if nobody wants anything special
 */
public record PlannedCluster(
    String name,
    ObjectKey service,
    Service.Port port,
    ClusterPolicy policy,
    @Nullable Protocol protocol,
    @Nullable ObjectKey owner) {

  /** Whether TLS is spoken. */
  public boolean usesTls() {
    return protocol == Protocol.TLS || protocol == Protocol.H2;
  }

  /** Why gRPC clients would refuse the cluster; null if they take it. */
  @Nullable String grpcRefusal() {
    if (usesTls()) {
      return "TLS to " + service + " (expected by gRPC clients: h2c)";
    }
    return policy.loadBalancing() == LoadBalancing.RANDOM
        ? "load balancing Random (expected by gRPC clients: another strategy)"
        : null;
  }
}
