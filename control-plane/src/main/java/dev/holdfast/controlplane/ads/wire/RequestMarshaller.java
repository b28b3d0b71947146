// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import dev.holdfast.controlplane.snapshot.ResourceType;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Parses requests; a message that cannot be parsed becomes an empty optional. If a marshaller
 * throws, gRPC treats it as a bug of the server and logs a stack trace for every such message.
 */
final class RequestMarshaller<M> implements MethodDescriptor.Marshaller<Optional<TypedRequest<M>>> {
  private final MethodDescriptor.Marshaller<M> strict;
  private final Function<M, String> typeUrl;
  private final @Nullable ResourceType only;

  /**
   * @param only the type of a stream that carries no other; null for an aggregated stream
   */
  RequestMarshaller(
      MethodDescriptor.Marshaller<M> strict,
      Function<M, String> typeUrl,
      @Nullable ResourceType only) {
    this.strict = strict;
    this.typeUrl = typeUrl;
    this.only = only;
  }

  @Override
  public InputStream stream(Optional<TypedRequest<M>> value) {
    return strict.stream(value.orElseThrow().message());
  }

  @Override
  public Optional<TypedRequest<M>> parse(InputStream stream) {
    try {
      M message = strict.parse(stream);
      return Optional.of(TypedRequest.of(typeUrl.apply(message), only, message));
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }
}
