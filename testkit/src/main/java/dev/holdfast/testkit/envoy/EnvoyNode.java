// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.BuildVersion;
import io.envoyproxy.envoy.config.core.v3.Extension;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.type.v3.SemanticVersion;
import java.util.Set;
import java.util.TreeSet;

/** How an Envoy introduces itself. */
final class EnvoyNode {
  private static final String PREFIX = "envoy.extensions.";

  /** Some of what a stock build has. */
  static final Set<String> EXTENSIONS =
      new TreeSet<>(
          Set.of(
              PREFIX + "filters.http.router.v3.Router",
              PREFIX + "filters.http.lua.v3.Lua",
              PREFIX + "filters.http.lua.v3.LuaPerRoute",
              PREFIX + "filters.http.cors.v3.Cors",
              PREFIX + "filters.http.compressor.v3.Compressor",
              PREFIX + "filters.http.ext_authz.v3.ExtAuthz",
              PREFIX + "filters.http.fault.v3.HTTPFault",
              PREFIX + "filters.http.grpc_stats.v3.FilterConfig",
              PREFIX + "filters.http.grpc_web.v3.GrpcWeb",
              PREFIX + "filters.http.jwt_authn.v3.JwtAuthentication",
              PREFIX + "filters.http.local_ratelimit.v3.LocalRateLimit",
              PREFIX + "filters.http.ratelimit.v3.RateLimit",
              PREFIX + "filters.http.rbac.v3.RBAC",
              PREFIX + "filters.http.wasm.v3.Wasm",
              PREFIX + "filters.network.http_connection_manager.v3.HttpConnectionManager",
              PREFIX + "filters.network.tcp_proxy.v3.TcpProxy",
              PREFIX + "transport_sockets.tls.v3.DownstreamTlsContext",
              PREFIX + "transport_sockets.tls.v3.UpstreamTlsContext",
              PREFIX + "upstreams.http.v3.HttpProtocolOptions"));

  private EnvoyNode() {}

  private static Struct metadata(EnvoyOptions options) {
    Struct.Builder metadata =
        Struct.newBuilder()
            .putFields(
                "holdfast_group", Value.newBuilder().setStringValue(options.group()).build());
    if (!options.role().isEmpty()) {
      metadata.putFields(
          "holdfast_role", Value.newBuilder().setStringValue(options.role()).build());
    }
    return metadata.build();
  }

  static Node of(EnvoyOptions options) {
    String[] version = options.version().split("\\.", 3);
    Node.Builder node =
        Node.newBuilder()
            .setId(options.nodeId())
            .setCluster("hf-test")
            .setMetadata(metadata(options))
            .setUserAgentName("envoy")
            .setUserAgentBuildVersion(
                BuildVersion.newBuilder()
                    .setVersion(
                        SemanticVersion.newBuilder()
                            .setMajorNumber(Integer.parseInt(version[0]))
                            .setMinorNumber(Integer.parseInt(version[1]))
                            .setPatch(Integer.parseInt(version[2])))
                    .setMetadata(
                        Struct.newBuilder()
                            .putFields(
                                "build.type",
                                Value.newBuilder().setStringValue("RELEASE").build())));
    for (String typeUrl : options.extensions()) {
      node.addExtensions(
          Extension.newBuilder()
              .setName(typeUrl.substring(typeUrl.lastIndexOf('.') + 1))
              .addTypeUrls(typeUrl));
    }
    return node.build();
  }
}
