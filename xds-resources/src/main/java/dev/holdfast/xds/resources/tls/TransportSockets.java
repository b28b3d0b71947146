// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.tls;

import com.google.protobuf.Parser;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import org.jspecify.annotations.Nullable;

/** Finds the TLS context in a transport socket. */
final class TransportSockets {
  private static final String TLS = "envoy.transport_sockets.tls";

  private TransportSockets() {}

  /** The message of the expected type, or null after reporting that there is none. */
  static <M> @Nullable M unpack(
      TransportSocket socket, String type, Parser<M> parser, Problems problems) {
    if (!socket.getName().equals(TLS)) {
      // Ignoring an unknown kind of security would be no security (gRFC A29).
      problems.at("name").unsupported(Text.quote(socket.getName()) + " (expected: " + TLS + ")");
      return null;
    }
    Problems at = problems.at("typed_config");
    TypedConfig config = TypedConfig.of(socket.getTypedConfig(), at);
    if (config == null) {
      return null;
    }
    if (!config.is(type)) {
      at.unsupported(Text.quote(config.type()) + " (expected: " + type + ")");
      return null;
    }
    return config.unpack(parser, at);
  }
}
