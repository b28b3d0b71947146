// SPDX-License-Identifier: Apache-2.0
package application;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.concurrent.TimeUnit;

/** An application that knows nothing of Holdfast: it calls a target and prints the outcome. */
public final class Main {
  private static final MethodDescriptor<StringValue, StringValue> WHO =
      MethodDescriptor.<StringValue, StringValue>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("shop.Shop/Who")
          .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
          .build();

  private Main() {}

  public static void main(String[] args) throws InterruptedException {
    call(Grpc.newChannelBuilder(args[0], InsecureChannelCredentials.create()));
  }

  static void call(ManagedChannelBuilder<?> builder) throws InterruptedException {
    call(builder, () -> {});
  }

  /** Calls, and does something else before the channel is shut down. */
  static void call(ManagedChannelBuilder<?> builder, Runnable then) throws InterruptedException {
    ManagedChannel channel = builder.build();
    try {
      StringValue answer =
          ClientCalls.blockingUnaryCall(
              channel,
              WHO,
              CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS),
              StringValue.of("hello"));
      System.out.println("OK: " + answer.getValue());
    } catch (StatusRuntimeException e) {
      System.out.println(e.getMessage());
    }
    then.run();
    channel.shutdownNow().awaitTermination(20, TimeUnit.SECONDS);
  }
}
