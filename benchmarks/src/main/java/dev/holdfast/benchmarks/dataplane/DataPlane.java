// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.HoldfastXdsResolverProvider;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.NameResolverProvider;
import io.grpc.xds.XdsNameResolverProvider;
import java.util.List;
import java.util.Map;

/** Those that are measured. */
enum DataPlane {
  HOLDFAST {
    @Override
    NameResolverProvider resolver(MeshServer server) {
      return new HoldfastXdsResolverProvider();
    }

    @Override
    ManagedChannelBuilder<?> channel(String scheme, MeshServer server) {
      XdsBootstrap bootstrap =
          XdsBootstrap.fromJson(
              """
              {"node": {"id": "bench"},
               "xds_servers": [{"server_uri": "%s", "channel_creds": [{"type": "insecure"}]}]}"""
                  .formatted(server.uri()),
              "benchmark");
      return HoldfastChannel.forTarget(target(scheme), bootstrap);
    }
  },
  GRPC_XDS {
    @Override
    NameResolverProvider resolver(MeshServer server) {
      return XdsNameResolverProvider.createForTest(
          "peer" + server.port(), // its bootstrap belongs to the provider
          Map.of(
              "node",
              Map.of("id", "bench"),
              "xds_servers",
              List.of(
                  Map.of(
                      "server_uri",
                      server.uri(),
                      "channel_creds",
                      List.of(Map.of("type", "insecure")),
                      "server_features",
                      List.of("xds_v3")))));
    }

    @Override
    ManagedChannelBuilder<?> channel(String scheme, MeshServer server) {
      return Grpc.newChannelBuilder(target(scheme), InsecureChannelCredentials.create());
    }
  };

  abstract NameResolverProvider resolver(MeshServer server);

  /** A channel to the target, as an application makes one. */
  abstract ManagedChannelBuilder<?> channel(String scheme, MeshServer server);

  private static String target(String scheme) {
    return scheme + ":///" + MeshResources.TARGET;
  }
}
