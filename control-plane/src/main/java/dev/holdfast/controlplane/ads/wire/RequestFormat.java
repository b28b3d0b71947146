// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.MessageLite;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How the requests of one protocol are read.
 *
 * @param names how many names of resources a request has
 * @param check why a request is refused, or null
 * @param trim drops what nobody reads
 */
record RequestFormat<M extends MessageLite>(
    Function<M, String> typeUrl,
    ToIntFunction<M> names,
    BiFunction<RequestLimits, M, @Nullable Refusal> check,
    BiFunction<RequestLimits, M, M> trim) {
  static final RequestFormat<DiscoveryRequest> SOTW =
      new RequestFormat<>(
          DiscoveryRequest::getTypeUrl,
          DiscoveryRequest::getResourceNamesCount,
          RequestLimits::check,
          RequestLimits::trim);

  static final RequestFormat<DeltaDiscoveryRequest> DELTA =
      new RequestFormat<>(
          DeltaDiscoveryRequest::getTypeUrl,
          request ->
              request.getResourceNamesSubscribeCount()
                  + request.getResourceNamesUnsubscribeCount()
                  + request.getInitialResourceVersionsCount(),
          RequestLimits::check,
          RequestLimits::trim);
}
