// SPDX-License-Identifier: Apache-2.0
package com.example.greeter;

import com.example.greeter.proto.GreetRequest;
import com.example.greeter.proto.GreeterGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.TimeUnit;

/**
 * Calls a target. For {@code xds:///HOST} the control plane that {@code GRPC_XDS_BOOTSTRAP} names
 * says where the calls go; there is no line about that here.
 */
final class GreeterClient implements AutoCloseable {
  private final ManagedChannel channel;
  private final GreeterGrpc.GreeterBlockingStub greeter;

  GreeterClient(String target) {
    channel = Grpc.newChannelBuilder(target, InsecureChannelCredentials.create()).build();
    greeter = GreeterGrpc.newBlockingStub(channel);
  }

  /** The answer, or why there is none. */
  String greet(String name) {
    try {
      return greeter
          .withDeadlineAfter(30, TimeUnit.SECONDS)
          .greet(GreetRequest.newBuilder().setName(name).build())
          .getText();
    } catch (StatusRuntimeException e) {
      return e.getMessage();
    }
  }

  @Override
  public void close() throws InterruptedException {
    channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
  }
}
