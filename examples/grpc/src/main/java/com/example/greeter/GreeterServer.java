// SPDX-License-Identifier: Apache-2.0
package com.example.greeter;

import com.example.greeter.proto.GreetReply;
import com.example.greeter.proto.GreetRequest;
import com.example.greeter.proto.GreeterGrpc;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import java.io.IOException;

/** A gRPC server like any other: servers know nothing of xDS. */
final class GreeterServer {
  private final Server server;

  private GreeterServer(Server server) {
    this.server = server;
  }

  static GreeterServer start(int port) throws IOException {
    Greeter greeter = new Greeter();
    Server server =
        Grpc.newServerBuilderForPort(port, InsecureServerCredentials.create())
            .addService(greeter)
            .build()
            .start();
    greeter.port = server.getPort();
    return new GreeterServer(server);
  }

  int port() {
    return server.getPort();
  }

  void awaitEnd() throws InterruptedException {
    server.awaitTermination();
  }

  private static final class Greeter extends GreeterGrpc.GreeterImplBase {
    private volatile int port;

    @Override
    public void greet(GreetRequest request, StreamObserver<GreetReply> reply) {
      reply.onNext(
          GreetReply.newBuilder()
              .setText("hello, " + request.getName() + ", from port " + port)
              .build());
      reply.onCompleted();
    }
  }
}
