// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast get resources}: the served resources. */
@Command(
    name = "resources",
    header = "List xDS resources, the proxies that run them and the objects they come from.",
    customSynopsis =
        "holdfast get resources [NAME] [--type TYPE] [--server URL] [-o table|json|yaml]",
    description =
        "%nLists the xDS resources that a control plane serves: how many proxies accepted, have not "
            + "answered, or rejected the current version, and the objects that the resource comes "
            + "from.%n",
    footer = {
      "%nExamples:",
      "  holdfast get resources",
      "  holdfast get resources 'shop/*' --type Cluster",
      "%nExit codes: 0 success, 1 no response from the server, 2 bad arguments."
    })
public final class GetResourcesCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "Only resources with this name; * matches any text.")
  String name = "*";

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "Only resources of this type: Cluster, ClusterLoadAssignment, Listener,"
              + " RouteConfiguration, Secret or TypedExtensionConfig.")
  @Nullable String type;

  @Mixin OutputOption format = new OutputOption();

  public GetResourcesCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    Predicate<String> names = JsonFields.glob(name);
    String query = type == null ? "" : "?type=" + AdminClient.encode(ResourceField.type(type));
    JsonObject list =
        JsonFields.filter(
            server.client(shell.environment()).get("/api/v1/resources" + query),
            resource -> names.test(JsonFields.text(resource, "name")));
    format.print(shell, list, () -> ResourceTable.render(list, shell.width(), shell.style()));
  }
}
