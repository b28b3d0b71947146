// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers every method with what it was sent. */
final class Backend implements AutoCloseable {
  private static final Metadata.Key<byte[]> REPORT =
      Metadata.Key.of("endpoint-load-metrics-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private final Server server;

  /** As many as a variant has, and as it needs them. */
  static List<Backend> of(MeshVariant variant) {
    List<Backend> backends = new ArrayList<>();
    for (int i = 0; i < variant.backends(); i++) {
      backends.add(
          new Backend(
              variant == MeshVariant.TLS
                  ? MeshCertificates.server()
                  : InsecureServerCredentials.create(),
              variant == MeshVariant.WEIGHTED ? report(0.1 * (i + 1)) : null));
    }
    return backends;
  }

  private static byte[] report(double utilization) {
    return OrcaLoadReport.newBuilder()
        .setRpsFractional(1000)
        .setCpuUtilization(utilization)
        .build()
        .toByteArray();
  }

  /**
   * @param report what it says of its load with each answer; null for nothing
   */
  private Backend(ServerCredentials credentials, byte @Nullable [] report) {
    try {
      server =
          ServerThreads.server(credentials)
              .intercept(new Reporting(report))
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

  private static final class Reporting implements ServerInterceptor {
    private final byte @Nullable [] report;

    Reporting(byte @Nullable [] report) {
      this.report = report;
    }

    @Override
    public <Q, S> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, S> call, Metadata headers, ServerCallHandler<Q, S> next) {
      return next.startCall(
          report == null
              ? call
              : new SimpleForwardingServerCall<>(call) {
                @Override
                public void close(Status status, Metadata trailers) {
                  trailers.put(REPORT, report);
                  super.close(status, trailers);
                }
              },
          headers);
    }
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
