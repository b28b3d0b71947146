// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.UInt32Value;
import dev.holdfast.controlplane.objects.httpproxy.RetryPolicy;
import dev.holdfast.controlplane.objects.ingress.IngressSettings;
import dev.holdfast.controlplane.translate.proto.Times;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Retry policies. */
final class RetryPolicies {
  private RetryPolicies() {}

  static io.envoyproxy.envoy.config.route.v3.RetryPolicy of(RetryPolicy policy) {
    io.envoyproxy.envoy.config.route.v3.RetryPolicy.Builder retries =
        retries(policy.on(), policy.count()).addAllRetriableStatusCodes(policy.statusCodes());
    if (policy.perTryTimeout() != null) {
      retries.setPerTryTimeout(Times.limit(policy.perTryTimeout()));
    }
    return retries.build();
  }

  /** Null if the annotations set no retries. */
  static io.envoyproxy.envoy.config.route.v3.@Nullable RetryPolicy of(IngressSettings settings) {
    if (settings.retryOn().isEmpty()) {
      return null;
    }
    io.envoyproxy.envoy.config.route.v3.RetryPolicy.Builder retries =
        retries(settings.retryOn(), settings.retries());
    com.google.protobuf.Duration perTry = Times.of(settings.perTryTimeout());
    if (perTry != null) {
      retries.setPerTryTimeout(perTry);
    }
    return retries.build();
  }

  /** The count is always set: Envoy's default is one. */
  private static io.envoyproxy.envoy.config.route.v3.RetryPolicy.Builder retries(
      List<RetryPolicy.On> on, int count) {
    return io.envoyproxy.envoy.config.route.v3.RetryPolicy.newBuilder()
        .setRetryOn(on.stream().map(RetryPolicy.On::word).collect(Collectors.joining(",")))
        .setNumRetries(UInt32Value.of(count));
  }
}
