// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Messages that may be anything: those that cannot be read are empty. gRPC itself takes an error
 * here for a bug of the server's, and puts one stack trace into the log for each.
 */
final class LenientMarshaller<T> implements MethodDescriptor.Marshaller<Optional<T>> {
  private final MethodDescriptor.Marshaller<T> strict;

  LenientMarshaller(MethodDescriptor.Marshaller<T> strict) {
    this.strict = strict;
  }

  @Override
  public InputStream stream(Optional<T> value) {
    return strict.stream(value.orElseThrow());
  }

  @Override
  public Optional<T> parse(InputStream stream) {
    try {
      return Optional.of(strict.parse(stream));
    } catch (StatusRuntimeException e) {
      return Optional.empty();
    }
  }
}
