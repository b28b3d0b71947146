// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import dev.holdfast.grpc.libraries.NewerGrpc;
import io.grpc.ClientStreamTracer;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.Subchannel;
import org.jspecify.annotations.Nullable;

/**
 * Adds a tracer to the picks of one endpoint. The picker of an endpoint answers the same again and
 * again, so the answer with the tracer is made once and not for each call.
 */
final class TracedPicks {
  private final Tracing tracing;
  private @Nullable Made last; // unguarded: whoever does not see it makes it again

  /** A tracer besides the one that a pick has, if it has any. */
  interface Tracing {
    ClientStreamTracer.Factory besides(ClientStreamTracer.@Nullable Factory other);
  }

  private record Made(PickResult from, PickResult traced) {}

  TracedPicks(Tracing tracing) {
    this.tracing = tracing;
  }

  @SuppressWarnings("ReferenceEquality") // one that is only equal may have another authority
  PickResult of(PickResult result) {
    Made made = last;
    if (made != null && made.from == result) {
      return made.traced;
    }
    Subchannel subchannel = result.getSubchannel();
    if (subchannel == null) {
      return result;
    }
    PickResult traced =
        NewerGrpc.withTracer(result, subchannel, tracing.besides(result.getStreamTracerFactory()));
    last = new Made(result, traced);
    return traced;
  }
}
