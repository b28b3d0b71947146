// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import dev.holdfast.controlplane.objects.httpproxy.HealthCheck;
import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.read.Timeout;
import dev.holdfast.controlplane.objects.service.ServiceAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * The port of a service with the settings of the routes that use it.
 *
 * @param name of the cluster
 * @param destination where its endpoints come from
 * @param settings from the service's annotations
 * @param protocol null for HTTP/1.1, or plain TCP
 * @param tls the TLS settings; without effect unless the protocol uses TLS
 * @param healthCheck null if endpoints are assumed healthy; a TCP check if it has no path
 */
public record ClusterSpec(
    String name,
    Destination destination,
    ServiceAnnotations settings,
    @Nullable Protocol protocol,
    UpstreamTls tls,
    LoadBalancing loadBalancing,
    @Nullable HealthCheck healthCheck,
    Timeout idleConnection) {
  /** Where endpoints come from. */
  public sealed interface Destination permits Endpoints, DnsName {}

  /**
   * Endpoints that the control plane knows.
   *
   * @param name of the load assignment
   */
  public record Endpoints(String name) implements Destination {}

  /** A name that the proxy resolves. */
  public record DnsName(String name, int port) implements Destination {}

  /**
   * Whether the connection uses TLS. A gRPC client rejects a cluster with Envoy's TLS transport
   * socket.
   */
  public boolean usesTls() {
    return protocol == Protocol.TLS || protocol == Protocol.H2;
  }

  boolean usesHttp2() {
    return protocol == Protocol.H2 || protocol == Protocol.H2C;
  }
}
