// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.core.v3.Http1ProtocolOptions;
import io.envoyproxy.envoy.config.core.v3.Http2ProtocolOptions;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig;
import org.jspecify.annotations.Nullable;

/** HTTP protocol options of clusters: the HTTP version, and the idle timeout of connections. */
final class HttpProtocols {
  /** The key under which Envoy expects them in a cluster. */
  static final String KEY = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

  private HttpProtocols() {}

  /** Null if Envoy's defaults apply. */
  static @Nullable HttpProtocolOptions of(ClusterSpec spec) {
    com.google.protobuf.Duration idle = Times.of(spec.idleConnection());
    if (!spec.usesHttp2() && idle == null) {
      return null;
    }
    ExplicitHttpConfig.Builder protocol = ExplicitHttpConfig.newBuilder();
    if (spec.usesHttp2()) {
      protocol.setHttp2ProtocolOptions(Http2ProtocolOptions.getDefaultInstance());
    } else {
      protocol.setHttpProtocolOptions(Http1ProtocolOptions.getDefaultInstance());
    }
    HttpProtocolOptions.Builder options =
        HttpProtocolOptions.newBuilder().setExplicitHttpConfig(protocol);
    if (idle != null) {
      options.getCommonHttpProtocolOptionsBuilder().setIdleTimeout(idle);
    }
    return options.build();
  }
}
