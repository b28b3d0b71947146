// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.bootstrap;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast bootstrap grpc}. */
@Command(
    name = "grpc",
    header = "Print a gRPC bootstrap file.",
    customSynopsis = {
      "holdfast bootstrap grpc [--xds-address HOST:PORT] [--node ID] [--cluster NAME]",
      "                               [--ca FILE [--certificate FILE --key FILE]]"
    },
    description =
        "%nPrints the JSON that gRPC libraries and the Holdfast client read from "
            + "GRPC_XDS_BOOTSTRAP. An application then calls xds:///HOST, where HOST is the host of a "
            + "root HTTPProxy.%n",
    footer = {
      "%nExamples:",
      "  holdfast bootstrap grpc > xds.json && GRPC_XDS_BOOTSTRAP=xds.json app",
      "%nExit codes: 0 success, 2 bad arguments."
    })
public final class BootstrapGrpcCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin NodeOptions node = new NodeOptions();
  @Mixin XdsTlsOptions tls = new XdsTlsOptions();

  public BootstrapGrpcCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    JsonObject server = new JsonObject();
    server.addProperty("server_uri", node.server().toString());
    server.add("channel_creds", list(credentials()));
    JsonArray features = new JsonArray();
    features.add("xds_v3"); // older libraries speak no protocol of today without it
    server.add("server_features", features);
    JsonObject self = new JsonObject();
    self.addProperty("id", node.node("grpc", shell.environment().get("HOSTNAME")));
    self.addProperty("cluster", node.cluster);
    self.add("locality", new JsonObject()); // grpc-js refuses a node without one
    JsonObject bootstrap = new JsonObject();
    bootstrap.add("xds_servers", list(server));
    bootstrap.add("node", self);
    new Console(shell.out(), shell.err()).print(Json.pretty(bootstrap));
  }

  private JsonObject credentials() {
    JsonObject credentials = new JsonObject();
    credentials.addProperty("type", tls.isEnabled() ? "tls" : "insecure");
    JsonObject files = new JsonObject();
    if (tls.ca != null) {
      files.addProperty("ca_certificate_file", XdsTlsOptions.absolute(tls.ca));
      credentials.add("config", files);
    }
    if (tls.certificate != null && tls.key != null) {
      files.addProperty("certificate_file", XdsTlsOptions.absolute(tls.certificate));
      files.addProperty("private_key_file", XdsTlsOptions.absolute(tls.key));
    }
    return credentials;
  }

  private static JsonArray list(JsonObject element) {
    JsonArray array = new JsonArray();
    array.add(element);
    return array;
  }
}
