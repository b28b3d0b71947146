// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

import dev.holdfast.testkit.TextMarshaller;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A gRPC server that answers every method. */
final class AnyMethod extends HandlerRegistry {
  private AnyMethod() {}

  static Server start() throws IOException {
    return Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
        .fallbackHandlerRegistry(new AnyMethod())
        .build()
        .start();
  }

  @Override
  public @Nullable ServerMethodDefinition<?, ?> lookupMethod(
      String method, @Nullable String authority) {
    MethodDescriptor<String, String> descriptor =
        MethodDescriptor.newBuilder(new TextMarshaller(), new TextMarshaller())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(method)
            .build();
    ServerCallHandler<String, String> handler =
        ServerCalls.asyncUnaryCall(
            (request, answer) -> {
              answer.onNext("served");
              answer.onCompleted();
            });
    return ServerMethodDefinition.create(descriptor, handler);
  }
}
