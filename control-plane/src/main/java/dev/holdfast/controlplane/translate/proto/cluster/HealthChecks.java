// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import com.google.protobuf.UInt32Value;
import dev.holdfast.controlplane.objects.httpproxy.HealthCheck;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.core.v3.HealthCheck.HttpHealthCheck;
import io.envoyproxy.envoy.config.core.v3.HealthCheck.TcpHealthCheck;
import io.envoyproxy.envoy.type.v3.CodecClientType;
import io.envoyproxy.envoy.type.v3.Int64Range;
import java.time.Duration;

/** Active health checks of endpoints. */
final class HealthChecks {
  private HealthChecks() {}

  static io.envoyproxy.envoy.config.core.v3.HealthCheck of(
      HealthCheck check, CodecClientType codec) {
    io.envoyproxy.envoy.config.core.v3.HealthCheck.Builder health =
        io.envoyproxy.envoy.config.core.v3.HealthCheck.newBuilder()
            .setInterval(Times.exact(Duration.ofSeconds(check.intervalSeconds())))
            .setTimeout(Times.exact(Duration.ofSeconds(check.timeoutSeconds())))
            .setUnhealthyThreshold(UInt32Value.of(check.unhealthyThreshold()))
            .setHealthyThreshold(UInt32Value.of(check.healthyThreshold()));
    if (check.path().isEmpty()) {
      health.setTcpHealthCheck(TcpHealthCheck.getDefaultInstance());
    } else {
      health.setHttpHealthCheck(http(check, codec));
    }
    return health.build();
  }

  private static HttpHealthCheck http(HealthCheck check, CodecClientType codec) {
    HttpHealthCheck.Builder http =
        HttpHealthCheck.newBuilder()
            .setPath(check.path())
            .setHost(check.host())
            .setCodecClientType(codec);
    check
        .expectedStatuses()
        .forEach(
            range ->
                http.addExpectedStatuses(
                    Int64Range.newBuilder().setStart(range.start()).setEnd(range.end())));
    return http.build();
  }
}
