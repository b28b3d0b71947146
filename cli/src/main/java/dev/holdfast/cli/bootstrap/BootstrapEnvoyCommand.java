// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.bootstrap;

import static dev.holdfast.server.envoy.EnvoyBootstrap.quoted;

import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.server.envoy.EnvoyBootstrap;
import dev.holdfast.server.options.ListenAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast bootstrap envoy}. */
@Command(
    name = "envoy",
    header = "Print an Envoy bootstrap configuration.",
    customSynopsis = {
      "holdfast bootstrap envoy [--xds-address HOST:PORT] [--node ID] [--cluster NAME]",
      "                                [--sotw] [--scout] [--admin-port PORT]",
      "                                [--ca FILE [--certificate FILE --key FILE]]",
      "                                [--server-name NAME]"
    },
    description =
        "%nPrints YAML for 'envoy -c'. Envoy fetches everything else from the control plane, over one "
            + "aggregated stream, with the Delta protocol.%n",
    footer = {
      "%nExamples:",
      "  holdfast bootstrap envoy > envoy.yaml && envoy -c envoy.yaml",
      "  holdfast bootstrap envoy --ca ca.pem --certificate edge.pem --key edge-key.pem",
      "  holdfast bootstrap envoy --node edge-2 --cluster edge --admin-port 9902",
      "%nExit codes: 0 success, 2 bad arguments."
    })
public final class BootstrapEnvoyCommand implements Runnable {
  private static final String SDS_NAME = "holdfast_identity";
  private static final String TLS_TYPE =
      "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext";

  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin NodeOptions node = new NodeOptions();
  @Mixin XdsTlsOptions tls = new XdsTlsOptions();

  @Option(names = "--sotw", description = "Use the state-of-the-world protocol instead of Delta.")
  boolean sotw;

  @Option(
      names = "--scout",
      description = "Make it a scout, which serves nobody and tries every change first.")
  boolean scout;

  @Option(
      names = "--admin-port",
      paramLabel = "PORT",
      description =
          "Envoy's own admin port, on 127.0.0.1; 0 picks a free one. Default: ${DEFAULT-VALUE}.")
  int adminPort = 9901;

  @Option(
      names = "--server-name",
      paramLabel = "NAME",
      description =
          "The DNS name or IP address that the certificate of the control plane must have."
              + " Default: the host of --xds-address.")
  @Nullable String serverName;

  @Option(
      names = "--sds-file",
      paramLabel = "FILE",
      description =
          "Write what names --certificate and --key to this file, which Envoy watches together"
              + " with their directory: a renewed certificate is then used without a restart."
              + " Default: Envoy reads them once, when it starts.")
  @Nullable Path sdsFile;

  public BootstrapEnvoyCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    if (adminPort < 0 || adminPort > 65535) {
      throw node.bad("--admin-port: " + adminPort + " (expected: 0 to 65535)");
    }
    String yaml = yaml().stripTrailing();
    writeSdsFile();
    new Console(shell.out(), shell.err()).print(yaml);
  }

  /** The certificate as a resource of its own: Envoy renews only those. */
  private void writeSdsFile() {
    if (sdsFile == null) {
      return;
    }
    if (tls.certificate == null || tls.key == null) {
      throw node.bad("--sds-file without --certificate and --key (expected: all of them)");
    }
    Path directory = tls.certificate.toAbsolutePath().normalize().getParent();
    String text =
        """
        resources:
        - "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret
          name: %s
          tls_certificate:
            certificate_chain: {filename: %s}
            private_key: {filename: %s}
            watched_directory: {path: %s}
        """
            .formatted(
                SDS_NAME,
                quoted(XdsTlsOptions.absolute(tls.certificate)),
                quoted(XdsTlsOptions.absolute(tls.key)),
                quoted(String.valueOf(directory)));
    try {
      Files.writeString(sdsFile, text);
    } catch (IOException e) {
      throw new CommandException("--sds-file: " + sdsFile + " cannot be written: " + e, e);
    }
  }

  private String yaml() {
    ListenAddress server = node.server();
    return EnvoyBootstrap.of(
            node.node("envoy", shell.environment().get("HOSTNAME")),
            node.cluster,
            adminPort,
            server)
        .withSotw(sotw)
        .withTransportSocket(transportSocket(server))
        .withMetadata(scout ? Map.of("holdfast_role", "scout") : Map.of())
        .yaml();
  }

  /** TLS to the control plane, whose name is checked; empty without TLS. */
  private String transportSocket(ListenAddress server) {
    if (!tls.isEnabled() || tls.ca == null) {
      if (serverName != null) {
        throw node.bad("--server-name without --ca (expected: the CA of the control plane)");
      }
      return "";
    }
    String name = serverName == null ? server.host() : serverName;
    boolean address = EnvoyBootstrap.isAddress(name);
    List<String> lines = new ArrayList<>();
    lines.add("transport_socket:");
    lines.add("  name: envoy.transport_sockets.tls");
    lines.add("  typed_config:");
    lines.add("    \"@type\": " + TLS_TYPE);
    if (!address) {
      lines.add("    sni: " + quoted(name));
    }
    lines.add("    common_tls_context:");
    lines.add("      alpn_protocols: [h2]");
    lines.add("      tls_params: {tls_maximum_protocol_version: TLSv1_3}");
    lines.add("      validation_context:");
    lines.add("        trusted_ca: {filename: " + quoted(XdsTlsOptions.absolute(tls.ca)) + "}");
    lines.add("        match_typed_subject_alt_names:");
    lines.add(
        "        - {san_type: "
            + (address ? "IP_ADDRESS" : "DNS")
            + ", matcher: {exact: "
            + quoted(name)
            + "}}");
    if (sdsFile != null) {
      lines.add("      tls_certificate_sds_secret_configs:");
      lines.add("      - name: " + SDS_NAME);
      lines.add("        sds_config:");
      lines.add("          resource_api_version: V3");
      lines.add(
          "          path_config_source: {path: " + quoted(XdsTlsOptions.absolute(sdsFile)) + "}");
    } else if (tls.certificate != null && tls.key != null) {
      lines.add("      tls_certificates:");
      lines.add(
          "      - certificate_chain: {filename: "
              + quoted(XdsTlsOptions.absolute(tls.certificate))
              + "}");
      lines.add("        private_key: {filename: " + quoted(XdsTlsOptions.absolute(tls.key)) + "}");
    }
    return String.join("\n", lines).indent(4);
  }
}
