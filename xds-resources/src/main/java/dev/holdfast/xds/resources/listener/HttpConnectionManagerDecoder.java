// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import com.google.protobuf.Any;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Durations;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import dev.holdfast.xds.resources.filter.FilterSide;
import dev.holdfast.xds.resources.route.RouteConfigurationDecoder;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.Rds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Decodes the HttpConnectionManager of a listener or of a filter chain. */
final class HttpConnectionManagerDecoder {
  static final String TYPE =
      "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

  private HttpConnectionManagerDecoder() {}

  /** The manager; null after reporting that this is none or what is wrong with it. */
  static @Nullable HttpConnectionManager decode(
      Any any, FilterSide side, Decoding decoding, Problems problems) {
    TypedConfig config = TypedConfig.of(any, problems);
    if (config == null) {
      return null;
    }
    if (!config.is(TYPE)) {
      problems.unsupported(Text.quote(config.type()) + " (expected: " + TYPE + ")");
      return null;
    }
    var proto =
        config.unpack(
            io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3
                .HttpConnectionManager.parser(),
            problems);
    return proto == null ? null : decode(proto, side, decoding, problems);
  }

  private static @Nullable HttpConnectionManager decode(
      io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3
              .HttpConnectionManager
          proto,
      FilterSide side,
      Decoding decoding,
      Problems problems) {
    rejectUnsafe(proto, problems);
    Duration maxStreamDuration = maxStreamDuration(proto, problems);
    HttpFilterChain filters = HttpFiltersDecoder.decode(proto, side, decoding, problems);
    RouteSource routes = routes(proto, decoding, problems);
    return routes == null ? null : new HttpConnectionManager(routes, filters, maxStreamDuration);
  }

  /** Fields that change who the peer is taken for; gRFC A41 rejects them for any listener. */
  private static void rejectUnsafe(
      io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3
              .HttpConnectionManager
          proto,
      Problems problems) {
    if (proto.getXffNumTrustedHops() != 0) {
      problems
          .at("xff_num_trusted_hops")
          .unsupported(
              Integer.toUnsignedString(proto.getXffNumTrustedHops()) + " (expected: not set or 0)");
    }
    if (proto.getOriginalIpDetectionExtensionsCount() > 0) {
      problems.at("original_ip_detection_extensions").unsupported("set (expected: none)");
    }
  }

  private static Duration maxStreamDuration(
      io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3
              .HttpConnectionManager
          proto,
      Problems problems) {
    if (!proto.getCommonHttpProtocolOptions().hasMaxStreamDuration()) {
      return Duration.ZERO;
    }
    Duration duration =
        Durations.decode(
            proto.getCommonHttpProtocolOptions().getMaxStreamDuration(),
            problems.at("common_http_protocol_options").at("max_stream_duration"));
    return duration == null ? Duration.ZERO : duration;
  }

  private static @Nullable RouteSource routes(
      io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3
              .HttpConnectionManager
          proto,
      Decoding decoding,
      Problems problems) {
    switch (proto.getRouteSpecifierCase()) {
      case ROUTE_CONFIG:
        return new RouteSource.Inline(
            RouteConfigurationDecoder.decode(
                proto.getRouteConfig(), decoding, problems.at("route_config")));
      case RDS:
        return rds(proto.getRds(), problems.at("rds"));
      case SCOPED_ROUTES:
        problems.at("scoped_routes").unsupported("set (expected: rds or route_config)");
        return null;
      default:
        problems.required("no routes (expected: rds or route_config)");
        return null;
    }
  }

  private static RouteSource rds(Rds proto, Problems problems) {
    ConfigSource source = proto.getConfigSource();
    if (!source.hasAds() && !source.hasSelf()) {
      problems.at("config_source").invalid("neither ads nor self (expected: one of them)");
    }
    if (proto.getRouteConfigName().isEmpty()) {
      problems.at("route_config_name").required("not set (expected: a RouteConfiguration)");
    }
    return new RouteSource.Rds(proto.getRouteConfigName());
  }
}
