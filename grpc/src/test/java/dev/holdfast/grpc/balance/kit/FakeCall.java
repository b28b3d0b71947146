// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import dev.holdfast.grpc.config.RoutedCall;
import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.LoadBalancer.PickDetailsConsumer;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** A call that looks for a subchannel. */
public final class FakeCall extends PickSubchannelArgs {
  private final CallOptions options;
  private final Map<String, String> labels = new LinkedHashMap<>();

  private FakeCall(CallOptions options) {
    this.options = options;
  }

  /** One that xDS has not routed. */
  public static FakeCall unrouted() {
    return new FakeCall(CallOptions.DEFAULT);
  }

  public static FakeCall routed(RoutedCall call) {
    return new FakeCall(CallOptions.DEFAULT.withOption(RoutedCall.KEY, call));
  }

  public static FakeCall to(String cluster) {
    return routed(new RoutedCall(cluster, 0, false));
  }

  public static FakeCall withHash(long hash) {
    return routed(new RoutedCall("any", hash, false));
  }

  /** Begins the stream that a pick allows; it goes on until the tracer is told that it closed. */
  public static ClientStreamTracer begin(PickResult result) {
    return Objects.requireNonNull(result.getStreamTracerFactory(), "nobody traces " + result)
        .newClientStreamTracer(ClientStreamTracer.StreamInfo.newBuilder().build(), new Metadata());
  }

  /** What metrics are told about the pick. */
  public Map<String, String> labels() {
    return labels;
  }

  @Override
  public CallOptions getCallOptions() {
    return options;
  }

  @Override
  public Metadata getHeaders() {
    return new Metadata();
  }

  @Override
  public MethodDescriptor<?, ?> getMethodDescriptor() {
    throw new UnsupportedOperationException();
  }

  @Override
  public PickDetailsConsumer getPickDetailsConsumer() {
    return new PickDetailsConsumer() {
      @Override
      public void addOptionalLabel(String key, String value) {
        labels.put(key, value);
      }
    };
  }
}
