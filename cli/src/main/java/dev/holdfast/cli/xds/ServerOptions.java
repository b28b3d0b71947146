// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.CommandException;
import dev.holdfast.grpc.bootstrap.BootstrapException;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.xds.client.Credentials;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which xDS servers to talk to, who to be and which variant of the protocol to speak. */
@SuppressWarnings("NullAway.Init") // picocli sets the spec
final class ServerOptions {
  private static final String DEFAULT_NODE_ID = "holdfast-cli";

  private static final List<String> ENVIRONMENT =
      List.of("GRPC_XDS_BOOTSTRAP", "GRPC_XDS_BOOTSTRAP_CONFIG");

  /** Found in many bootstrap files, and long without meaning. */
  private static final Set<String> MEANINGLESS = Set.of("xds_v3");

  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(
      names = "--bootstrap",
      paramLabel = "FILE",
      description =
          "The bootstrap file of a gRPC application: servers, credentials, node, authorities.")
  @Nullable Path file;

  @Option(
      names = "--server",
      paramLabel = "HOST:PORT",
      converter = HostPort.Converter.class,
      description = "The server to talk to, without encryption.")
  @Nullable HostPort server;

  @Option(
      names = "--server-feature",
      paramLabel = "FEATURE",
      description =
          "What the bootstrap file would say of the server: fail_on_data_errors, "
              + "resource_timer_is_transient_error, trusted_xds_server. May be repeated.")
  List<String> serverFeatures = new ArrayList<>();

  @Option(
      names = "--node-id",
      paramLabel = "ID",
      description = "Who to be for the server. Default: " + DEFAULT_NODE_ID + ".")
  @Nullable String nodeId;

  @Option(
      names = "--delta",
      description = "Speak the incremental variant of the protocol, not the state of the world.")
  boolean delta;

  /**
   * The bootstrap that the options ask for or, without any, the environment.
   *
   * @throws CommandException with a message for the user if it cannot be read
   */
  XdsBootstrap bootstrap(Map<String, String> environment) {
    if (file != null && server != null) {
      throw bad("--bootstrap and --server: one of them, not both");
    }
    if (server == null) {
      onlyWithServer("--server-feature", !serverFeatures.isEmpty());
      onlyWithServer("--node-id", nodeId != null);
    }
    try {
      return read(environment);
    } catch (BootstrapException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  AdsProtocol protocol() {
    return delta ? AdsProtocol.DELTA : AdsProtocol.SOTW;
  }

  private XdsBootstrap read(Map<String, String> environment) {
    if (server != null) {
      return XdsBootstrap.builder()
          .nodeId(nodeId == null ? DEFAULT_NODE_ID : nodeId)
          .server(new ServerConfig(server.toString(), Credentials.insecure(), features()))
          .build();
    }
    if (file != null) {
      return XdsBootstrap.fromFile(file);
    }
    if (ENVIRONMENT.stream().allMatch(name -> environment.getOrDefault(name, "").isEmpty())) {
      throw bad(
          "no server given (expected: --server HOST:PORT, --bootstrap FILE, or a bootstrap file"
              + " named by GRPC_XDS_BOOTSTRAP)");
    }
    return XdsBootstrap.fromEnvironment(environment);
  }

  /** A bootstrap file may name features that do not exist; what a user types had better exist. */
  private Set<ServerFeature> features() {
    Set<ServerFeature> features = EnumSet.noneOf(ServerFeature.class);
    for (String feature : serverFeatures) {
      if (!MEANINGLESS.contains(feature)) {
        features.add(ServerFeature.parse(feature).orElseThrow(() -> badFeature(feature)));
      }
    }
    return features;
  }

  private void onlyWithServer(String option, boolean given) {
    if (given) {
      throw bad(option + ": only together with --server (a bootstrap file says this itself)");
    }
  }

  private ParameterException badFeature(String feature) {
    String known =
        Arrays.stream(ServerFeature.values())
            .map(ServerFeature::text)
            .collect(Collectors.joining(", "));
    return bad("--server-feature: '" + feature + "' (expected: one of " + known + ")");
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
