// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.libraries;

import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.InternalEquivalentAddressGroup;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.Subchannel;

/**
 * What the gRPC that this library is compiled with has, and the oldest that it runs with has not.
 * The JVM links a call when it is first made, so the branch that is never taken may name what is
 * not there.
 */
public final class NewerGrpc {
  /** The weight of an endpoint; where gRPC has a key for it (1.80), that one. */
  public static final Attributes.Key<Long> ENDPOINT_WEIGHT =
      has("io.grpc.InternalEquivalentAddressGroup")
          ? InternalEquivalentAddressGroup.ATTR_WEIGHT
          : Attributes.Key.create("dev.holdfast.grpc.endpoint-weight");

  /** Since 1.84. */
  private static final boolean REASONS_FOR_WAITING =
      has(PickResult.class, "withNoResult", String.class, String.class);

  /** Since 1.80. */
  private static final boolean COPIES =
      has(PickResult.class, "copyWithStreamTracerFactory", ClientStreamTracer.Factory.class);

  private NewerGrpc() {}

  /** The call waits; a trace shows the reason, where gRPC takes one. */
  public static PickResult waiting(String kind, String reason) {
    return REASONS_FOR_WAITING ? PickResult.withNoResult(kind, reason) : PickResult.withNoResult();
  }

  /** The same pick of this subchannel, with another tracer. */
  public static PickResult withTracer(
      PickResult result, Subchannel subchannel, ClientStreamTracer.Factory tracer) {
    return COPIES
        ? result.copyWithStreamTracerFactory(tracer)
        : PickResult.withSubchannel(subchannel, tracer, result.getAuthorityOverride());
  }

  private static boolean has(String type) {
    try {
      Class.forName(type, /* initialize= */ false, NewerGrpc.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean has(Class<?> type, String method, Class<?>... parameters) {
    try {
      type.getMethod(method, parameters);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }
}
