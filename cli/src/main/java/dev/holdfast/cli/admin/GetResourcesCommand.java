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

/** {@code holdfast get resources}: what is served. */
@Command(
    name = "resources",
    header = "List xDS resources, who has them and whose they are.",
    customSynopsis =
        "holdfast get resources [NAME] [--type TYPE] [--server URL] [-o table|json|yaml]",
    description =
        "%nLists the resources that a control plane serves: how many proxies accepted, have not "
            + "answered, or rejected the version that is served now, and the objects that have a "
            + "part in it.%n",
    footer = {
      "%nExamples:",
      "  holdfast get resources",
      "  holdfast get resources 'shop/*' --type Cluster",
      "%nExit codes: 0 done, 1 no answer from the server, 2 bad arguments."
    })
public final class GetResourcesCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "Only those of this name; a star stands for anything.")
  String name = "*";

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "Only those of this type: Cluster, ClusterLoadAssignment, Listener,"
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
