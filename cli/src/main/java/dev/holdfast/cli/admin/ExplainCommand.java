// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast explain}: the objects that a resource comes from. */
@Command(
    name = "explain",
    header = "Show which objects a resource comes from.",
    customSynopsis = "holdfast explain TYPE/NAME[#PATH] [--server URL] [-o table|json|yaml]",
    description =
        "%nShows the object, generation, field and file that an xDS resource, or one field of it, "
            + "comes from, and which proxies run the resource. Without a PATH, it lists every field "
            + "whose origin is known.%n",
    footer = {
      "%nExamples:",
      "  holdfast explain Cluster/shop/web/80",
      "  holdfast explain 'RouteConfiguration/ingress_http#virtual_hosts[0].routes[1]'",
      "  holdfast explain route/ingress_http -o json | jq -r '.parts[].object.name'",
      "%nExit codes: 0 success, 1 no such resource or field, or no response from the server, 2 bad "
          + "arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before run()
public final class ExplainCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin OutputOption format = new OutputOption();

  @Parameters(
      paramLabel = "TYPE/NAME[#PATH]",
      converter = ResourceField.Converter.class,
      description =
          "The resource, as listed by 'holdfast get resources', and optionally the path of a field "
              + "in its body. TYPE is case-insensitive; route, endpoint and extension are accepted.")
  ResourceField part;

  public ExplainCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    AdminClient client = server.client(shell.environment());
    JsonObject resource =
        client
            .find(part.address())
            .orElseThrow(
                () ->
                    new CommandException(
                        part.resource()
                            + ": no such resource ('holdfast get resources' lists all)"));
    ResourceExplanation explanation =
        ResourceExplanation.of(resource, part.path(), client.get("/api/v1/objects"));
    format.print(shell, explanation.json(), () -> explanation.render(shell.width(), shell.style()));
  }
}
