// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import dev.holdfast.controlplane.objects.httpproxy.HealthCheck;
import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.read.Timeout;
import dev.holdfast.controlplane.objects.service.ServiceAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * A port of a service, as some routes see it.
 *
 * @param name of the cluster
 * @param endpoints the name under which its endpoints are found
 * @param settings what the service's annotations say
 * @param protocol null for HTTP/1.1, or plain bytes
 * @param tls how TLS is spoken; of no effect unless the protocol has it
 * @param healthCheck null if endpoints are taken to be well; by connecting if it has no path
 */
public record ClusterSpec(
    String name,
    String endpoints,
    ServiceAnnotations settings,
    @Nullable Protocol protocol,
    UpstreamTls tls,
    LoadBalancing loadBalancing,
    @Nullable HealthCheck healthCheck,
    Timeout idleConnection) {
  private static final UpstreamTls ANYBODY = new UpstreamTls("", null);

  /** A port as no route has anything to say about it. */
  public static ClusterSpec plain(
      String name, String endpoints, ServiceAnnotations settings, @Nullable Protocol protocol) {
    return new ClusterSpec(
        name,
        endpoints,
        settings,
        protocol,
        ANYBODY,
        LoadBalancing.ROUND_ROBIN,
        null,
        Timeout.DEFAULT);
  }

  /** Whether TLS is spoken. A gRPC client refuses a cluster that wants TLS of Envoy's kind. */
  public boolean usesTls() {
    return protocol == Protocol.TLS || protocol == Protocol.H2;
  }

  boolean usesHttp2() {
    return protocol == Protocol.H2 || protocol == Protocol.H2C;
  }
}
