// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.MessageLite;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Parses requests and checks their limits; a message that cannot be parsed is a refusal. If a
 * marshaller throws, gRPC treats it as a bug of the server and logs a stack trace for every such
 * message.
 */
final class RequestMarshaller<M extends MessageLite>
    implements MethodDescriptor.Marshaller<ReadRequest<TypedRequest<M>>> {
  private static final Refusal NOT_A_REQUEST =
      new Refusal(
          "", Status.INVALID_ARGUMENT.withDescription("the message is not a discovery request"));

  private final MethodDescriptor.Marshaller<M> strict;
  private final RequestFormat<M> format;
  private final RequestLimits limits;
  private final @Nullable ResourceType only;

  /**
   * @param only the type of a stream that carries no other; null for an aggregated stream
   */
  RequestMarshaller(
      MethodDescriptor.Marshaller<M> strict,
      RequestFormat<M> format,
      RequestLimits limits,
      @Nullable ResourceType only) {
    this.strict = strict;
    this.format = format;
    this.limits = limits;
    this.only = only;
  }

  @Override
  public InputStream stream(ReadRequest<TypedRequest<M>> value) {
    TypedRequest<M> request = value.request();
    if (request == null) {
      throw new IllegalArgumentException("a refused request");
    }
    return strict.stream(request.message());
  }

  @Override
  public ReadRequest<TypedRequest<M>> parse(InputStream stream) {
    M message;
    int sent;
    try {
      sent = stream.available();
      if (sent < LongRequestReader.LONG) {
        message = strict.parse(stream);
      } else {
        LongRequestReader<M> reader = new LongRequestReader<>(format, limits);
        message = reader.read(stream);
        if (message == null) {
          return ReadRequest.refused(requireNonNull(reader.refusal()));
        }
      }
    } catch (StatusRuntimeException | IOException e) {
      return ReadRequest.refused(NOT_A_REQUEST);
    }
    Refusal refusal = format.check().apply(limits, message);
    if (refusal != null) {
      return ReadRequest.refused(refusal);
    }
    M trimmed = format.trim().apply(limits, message);
    int kept = trimmed.getSerializedSize();
    return ReadRequest.of(
        TypedRequest.of(format.typeUrl().apply(trimmed), only, trimmed),
        kept,
        format.names().applyAsInt(trimmed),
        Math.max(0, sent - kept));
  }
}
