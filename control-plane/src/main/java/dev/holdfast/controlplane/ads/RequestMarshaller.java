// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.ResourceType;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Requests that may be anything: those that cannot be read are empty. gRPC itself takes an error
 * here for a bug of the server's, and puts one stack trace into the log for each.
 */
final class RequestMarshaller<M> implements MethodDescriptor.Marshaller<Optional<TypedRequest<M>>> {
  private final MethodDescriptor.Marshaller<M> strict;
  private final Function<M, String> typeUrl;
  private final @Nullable ResourceType only;

  /**
   * @param only the type of a stream that carries no other; null if it carries all
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
