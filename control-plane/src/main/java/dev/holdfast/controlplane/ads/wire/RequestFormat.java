// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How the requests of one protocol are read.
 *
 * @param nodeField the number of the field with the node
 * @param nameFields of the fields with names of resources
 * @param versionsField of the field with the versions that a client holds
 * @param errorField of the field with the error of a NACK
 * @param names how many names of resources a request has
 * @param check why a request is refused, or null
 * @param trim drops what nobody reads
 */
record RequestFormat<M extends MessageLite>(
    Parser<M> parser,
    int nodeField,
    Set<Integer> nameFields,
    int versionsField,
    int errorField,
    Function<M, String> typeUrl,
    ToIntFunction<M> names,
    BiFunction<RequestLimits, M, @Nullable Refusal> check,
    BiFunction<RequestLimits, M, M> trim) {
  static final RequestFormat<DiscoveryRequest> SOTW =
      new RequestFormat<>(
          DiscoveryRequest.parser(),
          DiscoveryRequest.NODE_FIELD_NUMBER,
          Set.of(DiscoveryRequest.RESOURCE_NAMES_FIELD_NUMBER),
          /* versionsField= */ 0,
          DiscoveryRequest.ERROR_DETAIL_FIELD_NUMBER,
          DiscoveryRequest::getTypeUrl,
          DiscoveryRequest::getResourceNamesCount,
          RequestLimits::check,
          RequestLimits::trim);

  static final RequestFormat<DeltaDiscoveryRequest> DELTA =
      new RequestFormat<>(
          DeltaDiscoveryRequest.parser(),
          DeltaDiscoveryRequest.NODE_FIELD_NUMBER,
          Set.of(
              DeltaDiscoveryRequest.RESOURCE_NAMES_SUBSCRIBE_FIELD_NUMBER,
              DeltaDiscoveryRequest.RESOURCE_NAMES_UNSUBSCRIBE_FIELD_NUMBER),
          DeltaDiscoveryRequest.INITIAL_RESOURCE_VERSIONS_FIELD_NUMBER,
          DeltaDiscoveryRequest.ERROR_DETAIL_FIELD_NUMBER,
          DeltaDiscoveryRequest::getTypeUrl,
          request ->
              request.getResourceNamesSubscribeCount()
                  + request.getResourceNamesUnsubscribeCount()
                  + request.getInitialResourceVersionsCount(),
          RequestLimits::check,
          RequestLimits::trim);
}
