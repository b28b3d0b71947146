// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.ResourceNames;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A decoder of resources, in the shape in which the engine wants it. */
final class DecodedType<T> implements ResourceType<T> {
  private final String typeUrl;
  private final String shortName;
  private final Completeness completeness;
  private final Decoder<T> decoder;
  private final BiFunction<T, ServerConfig, T> completed;
  private final DecodeOptions fromTrusted;
  private final DecodeOptions fromOthers;

  DecodedType(
      String typeUrl,
      String shortName,
      Completeness completeness,
      Decoder<T> decoder,
      DecodeOptions options) {
    this(typeUrl, shortName, completeness, decoder, (value, server) -> value, options);
  }

  /**
   * @param completed adds to a value what depends on the server that sent it
   */
  DecodedType(
      String typeUrl,
      String shortName,
      Completeness completeness,
      Decoder<T> decoder,
      BiFunction<T, ServerConfig, T> completed,
      DecodeOptions options) {
    this.typeUrl = typeUrl;
    this.shortName = shortName;
    this.completeness = completeness;
    this.decoder = decoder;
    this.completed = completed;
    fromTrusted = options.withTrustedServer(true);
    fromOthers = options.withTrustedServer(false);
  }

  @Override
  public String typeUrl() {
    return typeUrl;
  }

  @Override
  public String shortName() {
    return shortName;
  }

  @Override
  public Completeness completeness() {
    return completeness;
  }

  @Override
  public Decoded<T> decode(ByteString serialized, ServerConfig server) {
    boolean trusted = server.has(ServerFeature.TRUSTED_XDS_SERVER);
    Decoded<T> decoded = decoder.decode(serialized, trusted ? fromTrusted : fromOthers);
    return decoded instanceof Decoded.Valid<T> valid
        ? Decoded.valid(valid.name(), completed.apply(valid.value(), server))
        : decoded;
  }

  @Override
  public @Nullable String peekName(ByteString serialized) {
    return ResourceNames.peek(serialized);
  }

  @Override
  public String toString() {
    return shortName;
  }

  interface Decoder<T> {
    Decoded<T> decode(ByteString serialized, DecodeOptions options);
  }
}
