// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.ResourceNames;
import dev.holdfast.xds.resources.cluster.ClusterDecoder;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignmentDecoder;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** This project's own decoders as resource types. */
final class HoldfastTypes {
  private static final ResourceType<?> CLUSTER =
      new Type<>(Kind.CLUSTER, "CDS", Completeness.FULL, ClusterDecoder::decode);
  private static final ResourceType<?> ENDPOINT =
      new Type<>(Kind.ENDPOINT, "EDS", Completeness.PARTIAL, ClusterLoadAssignmentDecoder::decode);

  private HoldfastTypes() {}

  static ResourceType<?> of(Kind kind) {
    return switch (kind) {
      case CLUSTER -> CLUSTER;
      case ENDPOINT -> ENDPOINT;
    };
  }

  private static final class Type<T> implements ResourceType<T> {
    private final Kind kind;
    private final String shortName;
    private final Completeness completeness;
    private final BiFunction<ByteString, DecodeOptions, Decoded<T>> decoder;

    Type(
        Kind kind,
        String shortName,
        Completeness completeness,
        BiFunction<ByteString, DecodeOptions, Decoded<T>> decoder) {
      this.kind = kind;
      this.shortName = shortName;
      this.completeness = completeness;
      this.decoder = decoder;
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
    public String typeUrl() {
      return kind.typeUrl();
    }

    @Override
    public Decoded<T> decode(ByteString serialized, ServerConfig server) {
      return decoder.apply(serialized, DecodeOptions.defaults());
    }

    @Override
    public @Nullable String peekName(ByteString serialized) {
      return ResourceNames.peek(serialized);
    }
  }
}
