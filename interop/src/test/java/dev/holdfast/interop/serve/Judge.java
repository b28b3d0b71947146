// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * A gRPC service that Envoy asks about requests: it sees the question as text, and says yes or no.
 */
final class Judge implements AutoCloseable {
  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
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
      };

  private final Server server;
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private Judge(String service, String method, byte[] yes, byte[] no, Predicate<String> decision) {
    MethodDescriptor<byte[], byte[]> descriptor =
        MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(service + "/" + method)
            .build();
    try {
      server =
          Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
              .addService(
                  ServerServiceDefinition.builder(service)
                      .addMethod(
                          descriptor,
                          ServerCalls.asyncUnaryCall(
                              (question, answer) -> {
                                // Every text of a message stands in it as it is.
                                String text = new String(question, StandardCharsets.UTF_8);
                                asked.add(text);
                                answer.onNext(decision.test(text) ? yes : no);
                                answer.onCompleted();
                              }))
                      .build())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Authorizes requests: {@code status.code} of the answer is 0, or PERMISSION_DENIED. */
  static Judge authorizing(Predicate<String> allowed) {
    return new Judge(
        "envoy.service.auth.v3.Authorization",
        "Check",
        new byte[] {},
        new byte[] {0x0a, 0x02, 0x08, 0x07},
        allowed);
  }

  /** Counts requests: {@code overall_code} of the answer is OK, or OVER_LIMIT. */
  static Judge limiting(Predicate<String> allowed) {
    return new Judge(
        "envoy.service.ratelimit.v3.RateLimitService",
        "ShouldRateLimit",
        new byte[] {0x08, 0x01},
        new byte[] {0x08, 0x02},
        allowed);
  }

  int port() {
    return server.getPort();
  }

  /** All questions so far. */
  List<String> asked() {
    return asked;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
