// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import com.google.protobuf.UInt32Value;
import dev.holdfast.controlplane.objects.service.ServiceAnnotations;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers.Thresholds;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Circuit breakers: limits of concurrent connections and requests to a service. */
final class CircuitBreaking {
  private CircuitBreaking() {}

  /** Null if the annotations set no limit; zero counts as not set. */
  static @Nullable CircuitBreakers of(ServiceAnnotations settings) {
    Thresholds.Builder all = Thresholds.newBuilder();
    set(settings.maxConnections(), all::setMaxConnections);
    set(settings.maxPendingRequests(), all::setMaxPendingRequests);
    set(settings.maxRequests(), all::setMaxRequests);
    set(settings.maxRetries(), all::setMaxRetries);
    Thresholds.Builder perHost = Thresholds.newBuilder();
    set(settings.perHostMaxConnections(), perHost::setMaxConnections);
    CircuitBreakers.Builder breakers = CircuitBreakers.newBuilder();
    if (isSet(all)) {
      breakers.addThresholds(all);
    }
    if (isSet(perHost)) {
      breakers.addPerHostThresholds(perHost);
    }
    return isSet(all) || isSet(perHost) ? breakers.build() : null;
  }

  private static void set(@Nullable Long limit, Consumer<UInt32Value> field) {
    if (limit != null && limit > 0) {
      field.accept(UInt32Value.of(limit.intValue()));
    }
  }

  private static boolean isSet(Thresholds.Builder thresholds) {
    return !thresholds.build().equals(Thresholds.getDefaultInstance());
  }
}
