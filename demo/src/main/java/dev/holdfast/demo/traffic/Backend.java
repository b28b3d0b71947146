// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A gRPC server that answers every call with its own name. */
public final class Backend implements AutoCloseable {
  private final String name;
  private final Server server;

  private Backend(String name, Server server) {
    this.name = name;
    this.server = server;
  }

  public static Backend start(String name) throws IOException {
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .fallbackHandlerRegistry(new EveryMethod(name))
            .directExecutor()
            .build()
            .start();
    return new Backend(name, server);
  }

  public String name() {
    return name;
  }

  public int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private static final class EveryMethod extends HandlerRegistry {
    private final String answer;

    EveryMethod(String answer) {
      this.answer = answer;
    }

    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
      return ServerMethodDefinition.create(
          TextMessages.method(name),
          ServerCalls.asyncUnaryCall(
              (request, observer) -> {
                observer.onNext(answer);
                observer.onCompleted();
              }));
    }
  }
}
