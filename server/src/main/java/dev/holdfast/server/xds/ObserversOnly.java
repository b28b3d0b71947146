// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.ads.access.ClientNames;
import dev.holdfast.controlplane.ads.wire.DiscoveryServices;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;

/** Lets those call a service that may observe what all proxies run. */
public final class ObserversOnly implements ServerInterceptor {
  private final AccessPolicy policy;

  private ObserversOnly(AccessPolicy policy) {
    this.policy = policy;
  }

  public static BindableService of(AccessPolicy policy, BindableService service) {
    return () -> ServerInterceptors.intercept(service, new ObserversOnly(policy));
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    ClientNames client = call.getAttributes().get(DiscoveryServices.CLIENT_NAMES);
    if (policy.mayObserve(client == null ? ClientNames.NONE : client)) {
      return next.startCall(call, headers);
    }
    call.close(
        Status.PERMISSION_DENIED.withDescription(
            (client == null ? ClientNames.NONE : client)
                + " may not observe (expected: an identity with role: observer)"),
        new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
