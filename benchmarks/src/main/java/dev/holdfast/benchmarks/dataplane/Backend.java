// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import io.grpc.HandlerRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Answers every method with what it was sent. */
final class Backend implements AutoCloseable {
  private final Server server;

  Backend() {
    try {
      server =
          ServerThreads.server()
              .directExecutor()
              .fallbackHandlerRegistry(
                  new HandlerRegistry() {
                    @Override
                    public ServerMethodDefinition<?, ?> lookupMethod(
                        String name, @Nullable String authority) {
                      return ServerMethodDefinition.create(
                          method(name),
                          ServerCalls.asyncUnaryCall(
                              (request, answer) -> {
                                answer.onNext(request);
                                answer.onCompleted();
                              }));
                    }
                  })
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return server.getPort();
  }

  static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(name)
        .build();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
