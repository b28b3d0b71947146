// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.load_stats.v3.LoadReportingServiceGrpc;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The methods of an xDS server, with responses left as bytes. */
final class ServerMethods {
  private static final MethodDescriptor<Message, ByteString> SOTW =
      withRawResponses(AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod());
  private static final MethodDescriptor<Message, ByteString> DELTA =
      withRawResponses(AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod());

  /** Load reports (LRS). */
  static final MethodDescriptor<Message, ByteString> LOAD_STATS =
      withRawResponses(LoadReportingServiceGrpc.getStreamLoadStatsMethod());

  private ServerMethods() {}

  static MethodDescriptor<Message, ByteString> of(AdsProtocol protocol) {
    return switch (protocol) {
      case SOTW -> SOTW;
      case DELTA -> DELTA;
    };
  }

  @SuppressWarnings("unchecked") // The engine sends what the protocol it chose asks for.
  private static MethodDescriptor<Message, ByteString> withRawResponses(
      MethodDescriptor<? extends Message, ?> method) {
    return method.toBuilder(
            (MethodDescriptor.Marshaller<Message>) method.getRequestMarshaller(), new Raw())
        .build();
  }

  /** Bytes in one piece: what is read into one array need not be put together later. */
  private static final class Raw implements MethodDescriptor.Marshaller<ByteString> {
    @Override
    public InputStream stream(ByteString value) {
      return value.newInput();
    }

    @Override
    public ByteString parse(InputStream in) {
      try {
        if (in instanceof KnownLength) {
          byte[] bytes = new byte[in.available()];
          int read = in.readNBytes(bytes, 0, bytes.length);
          return UnsafeByteOperations.unsafeWrap(bytes, 0, read);
        }
        return UnsafeByteOperations.unsafeWrap(in.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
