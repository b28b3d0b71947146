// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.testkit.TextMarshaller;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.concurrent.TimeUnit;

/** Our own client, in this process, as the foreign ones are used. */
final class OurClient implements Caller {
  private static final int PATIENCE_SECONDS = 40;

  private final ManagedChannel channel;

  /**
   * @param bootstrap what {@code holdfast bootstrap grpc} prints
   */
  OurClient(String host, String bootstrap) {
    channel =
        HoldfastChannel.forTarget("xds:///" + host, XdsBootstrap.fromJson(bootstrap, "bootstrap"))
            .build();
  }

  @Override
  public String call(String method) {
    MethodDescriptor<String, String> descriptor =
        MethodDescriptor.newBuilder(new TextMarshaller(), new TextMarshaller())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(method.substring(1))
            .build();
    try {
      return "OK "
          + ClientCalls.blockingUnaryCall(
              channel,
              descriptor,
              CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
              "");
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode() + " " + e.getStatus().getDescription();
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
