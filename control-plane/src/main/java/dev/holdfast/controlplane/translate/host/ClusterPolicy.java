// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.controlplane.objects.httpproxy.HealthCheck;
import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.UpstreamValidation;
import dev.holdfast.controlplane.objects.read.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a route or a tcpproxy makes for the connection to a service.
 *
 * @param healthCheck a TCP check if its path is empty
 * @param protocol null if the service's annotations decide
 * @param serverName the SNI to send with TLS; empty for none
 */
public record ClusterPolicy(
    LoadBalancing loadBalancing,
    @Nullable HealthCheck healthCheck,
    @Nullable Protocol protocol,
    @Nullable UpstreamValidation validation,
    Timeout idleConnection,
    String serverName) {
  /** Default settings. */
  public static final ClusterPolicy PLAIN =
      new ClusterPolicy(LoadBalancing.ROUND_ROBIN, null, null, null, Timeout.DEFAULT, "");
}
