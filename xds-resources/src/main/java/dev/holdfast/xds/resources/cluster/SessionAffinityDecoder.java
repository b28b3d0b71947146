// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Durations;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import dev.holdfast.xds.resources.endpoint.EndpointHealth;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.HealthStatus;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** Decodes what a cluster says of sessions (gRFC A55, A75). */
final class SessionAffinityDecoder {
  private static final String OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

  private SessionAffinityDecoder() {}

  /** The settings; incomplete after problems. */
  static SessionAffinity decode(Cluster proto, Problems problems) {
    if (!proto.hasUpstreamConfig() && !proto.getCommonLbConfig().hasOverrideHostStatus()) {
      return SessionAffinity.DEFAULT;
    }
    return new SessionAffinity(
        statuses(proto),
        proto.hasUpstreamConfig()
            ? idleTimeout(proto, problems.at("upstream_config").at("typed_config"))
            : SessionAffinity.DEFAULT.idleTimeout());
  }

  /** Statuses that no endpoint here has are ignored, as the same cluster may be for Envoys. */
  private static Set<EndpointHealth> statuses(Cluster proto) {
    if (!proto.getCommonLbConfig().hasOverrideHostStatus()) {
      return SessionAffinity.DEFAULT.statuses();
    }
    Set<EndpointHealth> statuses = EnumSet.noneOf(EndpointHealth.class);
    for (HealthStatus status :
        proto.getCommonLbConfig().getOverrideHostStatus().getStatusesList()) {
      switch (status) {
        case UNKNOWN -> statuses.add(EndpointHealth.UNKNOWN);
        case HEALTHY -> statuses.add(EndpointHealth.HEALTHY);
        case DRAINING -> statuses.add(EndpointHealth.DRAINING);
        default -> {}
      }
    }
    return statuses;
  }

  private static Duration idleTimeout(Cluster proto, Problems problems) {
    Duration none = SessionAffinity.DEFAULT.idleTimeout();
    TypedConfig config = TypedConfig.of(proto.getUpstreamConfig().getTypedConfig(), problems);
    if (config == null) {
      return none;
    }
    if (!config.type().equals(OPTIONS)) {
      problems.unsupported(Text.quote(config.type()) + " (expected: " + OPTIONS + ")");
      return none;
    }
    HttpProtocolOptions options = config.message(HttpProtocolOptions.parser(), problems);
    if (options == null || !options.getCommonHttpProtocolOptions().hasIdleTimeout()) {
      return none;
    }
    Duration timeout =
        Durations.decode(
            options.getCommonHttpProtocolOptions().getIdleTimeout(),
            problems.at("common_http_protocol_options").at("idle_timeout"));
    return timeout == null ? none : timeout;
  }
}
