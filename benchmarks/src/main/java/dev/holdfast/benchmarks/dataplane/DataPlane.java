// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.HoldfastXdsResolverProvider;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.grpc.security.HoldfastChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.NameResolverProvider;
import io.grpc.xds.XdsChannelCredentials;
import io.grpc.xds.XdsNameResolverProvider;
import java.util.List;
import java.util.Map;

/** Those that are measured. */
enum DataPlane {
  HOLDFAST {
    @Override
    NameResolverProvider resolver(MeshServer server, Map<String, String> files) {
      return new HoldfastXdsResolverProvider();
    }

    @Override
    ManagedChannelBuilder<?> channel(String scheme, MeshServer server, Map<String, String> files) {
      XdsBootstrap bootstrap =
          XdsBootstrap.fromJson(
              """
              {"node": {"id": "bench"},
               "certificate_providers": {"%s": {"plugin_name": "file_watcher",
                 "config": {"ca_certificate_file": "%s", "certificate_file": "%s",
                   "private_key_file": "%s"}}},
               "xds_servers": [{"server_uri": "%s", "channel_creds": [{"type": "insecure"}]}]}"""
                  .formatted(
                      MeshCertificates.PROVIDER,
                      files.get("ca_certificate_file"),
                      files.get("certificate_file"),
                      files.get("private_key_file"),
                      server.uri()),
              "benchmark");
      return HoldfastChannel.forTarget(
          target(scheme),
          HoldfastChannelCredentials.create(InsecureChannelCredentials.create()),
          XdsOptions.of(bootstrap));
    }
  },
  GRPC_XDS {
    @Override
    NameResolverProvider resolver(MeshServer server, Map<String, String> files) {
      return XdsNameResolverProvider.createForTest(
          "peer" + server.port(), // its bootstrap belongs to the provider
          Map.of(
              "node",
              Map.of("id", "bench"),
              "certificate_providers",
              Map.of(
                  MeshCertificates.PROVIDER,
                  Map.of("plugin_name", "file_watcher", "config", files)),
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
    ManagedChannelBuilder<?> channel(String scheme, MeshServer server, Map<String, String> files) {
      return Grpc.newChannelBuilder(
          target(scheme), XdsChannelCredentials.create(InsecureChannelCredentials.create()));
    }
  };

  /**
   * @param files the settings of the certificate provider
   */
  abstract NameResolverProvider resolver(MeshServer server, Map<String, String> files);

  /** A channel to the target, as an application makes one that leaves TLS to the control plane. */
  abstract ManagedChannelBuilder<?> channel(
      String scheme, MeshServer server, Map<String, String> files);

  private static String target(String scheme) {
    return scheme + ":///" + MeshResources.TARGET;
  }
}
