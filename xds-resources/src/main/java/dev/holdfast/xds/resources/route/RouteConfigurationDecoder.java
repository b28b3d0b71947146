// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.decode.Decoding;
import java.util.ArrayList;
import java.util.List;

/** Decodes RouteConfiguration resources, and those that stand inside a listener. */
public final class RouteConfigurationDecoder {
  public static final String TYPE_URL =
      "type.googleapis.com/envoy.config.route.v3.RouteConfiguration";

  private static final Decoding.NameField<io.envoyproxy.envoy.config.route.v3.RouteConfiguration>
      NAME =
          new Decoding.NameField<>(
              "name", io.envoyproxy.envoy.config.route.v3.RouteConfiguration::getName);

  private RouteConfigurationDecoder() {}

  /** Decodes one resource; throws nothing, whatever the bytes. */
  public static Decoded<RouteConfiguration> decode(ByteString serialized, DecodeOptions options) {
    return Decoding.resource(
        serialized,
        io.envoyproxy.envoy.config.route.v3.RouteConfiguration.parser(),
        NAME,
        options,
        RouteConfigurationDecoder::decode);
  }

  /** Decodes a message that need not have a name; incomplete if problems were reported. */
  public static RouteConfiguration decode(
      io.envoyproxy.envoy.config.route.v3.RouteConfiguration proto,
      Decoding decoding,
      Problems problems) {
    ClusterSpecifierPlugins plugins = ClusterSpecifierPlugins.decode(proto, problems);
    VirtualHostDecoder hostDecoder = new VirtualHostDecoder(decoding, plugins);
    List<VirtualHost> hosts = new ArrayList<>(proto.getVirtualHostsCount());
    for (int i = 0; i < proto.getVirtualHostsCount() && !Decoding.full(problems); i++) {
      hosts.add(hostDecoder.decode(proto.getVirtualHosts(i), problems.at("virtual_hosts", i)));
    }
    return new RouteConfiguration(proto.getName(), hosts);
  }
}
