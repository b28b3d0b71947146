// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.filter.FilterSide;
import org.jspecify.annotations.Nullable;

/** Decodes Listener resources. */
public final class ListenerDecoder {
  public static final String TYPE_URL = "type.googleapis.com/envoy.config.listener.v3.Listener";

  private static final Decoding.NameField<io.envoyproxy.envoy.config.listener.v3.Listener> NAME =
      new Decoding.NameField<>("name", io.envoyproxy.envoy.config.listener.v3.Listener::getName);

  private ListenerDecoder() {}

  /** Decodes one resource; throws nothing, whatever the bytes. */
  public static Decoded<Listener> decode(ByteString serialized, DecodeOptions options) {
    return Decoding.resource(
        serialized,
        io.envoyproxy.envoy.config.listener.v3.Listener.parser(),
        NAME,
        options,
        ListenerDecoder::decode);
  }

  private static @Nullable Listener decode(
      io.envoyproxy.envoy.config.listener.v3.Listener proto, Decoding decoding, Problems problems) {
    if (proto.hasApiListener()) {
      // Some control planes send an address besides; the API listener is what a client asked for.
      HttpConnectionManager manager =
          HttpConnectionManagerDecoder.decode(
              proto.getApiListener().getApiListener(),
              FilterSide.CLIENT,
              decoding,
              problems.at("api_listener").at("api_listener"));
      return manager == null ? null : new Listener.Api(proto.getName(), manager);
    }
    if (proto.hasAddress()) {
      return SocketListenerDecoder.decode(proto, decoding, problems);
    }
    problems.required("neither api_listener nor address (expected: one of them)");
    return null;
  }
}
