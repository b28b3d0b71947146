// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import com.google.protobuf.Message;
import dev.holdfast.controlplane.translate.proto.Anys;
import io.envoyproxy.envoy.extensions.compression.brotli.compressor.v3.Brotli;
import io.envoyproxy.envoy.extensions.compression.gzip.compressor.v3.Gzip;
import io.envoyproxy.envoy.extensions.compression.zstd.compressor.v3.Zstd;
import io.envoyproxy.envoy.extensions.filters.http.compressor.v3.Compressor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compression of responses. */
final class Compressors {
  /** Those of Envoy, which a list of our own replaces, and those of gRPC-Web. */
  private static final List<String> CONTENT_TYPES =
      List.of(
          "application/ecmascript",
          "application/grpc-web",
          "application/grpc-web+json",
          "application/grpc-web+proto",
          "application/grpc-web+thrift",
          "application/grpc-web-text",
          "application/grpc-web-text+proto",
          "application/grpc-web-text+thrift",
          "application/javascript",
          "application/json",
          "application/x-javascript",
          "application/x-json",
          "application/xhtml+xml",
          "application/xml",
          "image/svg+xml",
          "text/css",
          "text/ecmascript",
          "text/html",
          "text/javascript",
          "text/js",
          "text/jscript",
          "text/plain",
          "text/x-javascript",
          "text/x-js",
          "text/xml");

  private Compressors() {}

  /** The configuration of the filter; null if responses are not compressed. */
  static @Nullable Compressor of(EdgeOptions.Compression compression) {
    return switch (compression) {
      case GZIP -> with("gzip", Gzip.getDefaultInstance());
      case BROTLI -> with("brotli", Brotli.getDefaultInstance());
      case ZSTD -> with("zstd", Zstd.getDefaultInstance());
      case DISABLED -> null;
    };
  }

  private static Compressor with(String name, Message library) {
    Compressor.Builder compressor = Compressor.newBuilder();
    compressor.getCompressorLibraryBuilder().setName(name).setTypedConfig(Anys.of(library));
    compressor
        .getResponseDirectionConfigBuilder()
        .getCommonConfigBuilder()
        .addAllContentType(CONTENT_TYPES);
    return compressor.build();
  }
}
