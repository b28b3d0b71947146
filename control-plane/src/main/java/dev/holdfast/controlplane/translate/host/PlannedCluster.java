// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.service.Service;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that a host needs.
 *
 * @param protocol as set by the policy or by the service's annotations; null for plain HTTP/1.1
 * @param externalName where the service leads outside of the cluster; otherwise empty
 * @param owner the proxy whose policy it has; null for a plain cluster that all proxies share
 */
public record PlannedCluster(
    String name,
    ObjectKey service,
    Service.Port port,
    ClusterPolicy policy,
    @Nullable Protocol protocol,
    String externalName,
    @Nullable ObjectKey owner) {

  /** Whether the connection to the service uses TLS. */
  public boolean usesTls() {
    return protocol == Protocol.TLS || protocol == Protocol.H2;
  }
}
