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

/** {@code holdfast explain}: where a piece of configuration came from. */
@Command(
    name = "explain",
    header = "Show where a piece of configuration came from.",
    customSynopsis = "holdfast explain TYPE/NAME[#PATH] [--server URL] [-o table|json|yaml]",
    description =
        "%nShows which field of which object, and which generation of it, a resource or a part of "
            + "one came from, in which file that object is, and which proxies run the resource. "
            + "Without a PATH, all parts are listed whose origin is known.%n",
    footer = {
      "%nExamples:",
      "  holdfast explain Cluster/shop/web/80",
      "  holdfast explain 'RouteConfiguration/ingress_http#virtual_hosts[0].routes[1]'",
      "  holdfast explain route/ingress_http -o json | jq -r '.parts[].object.name'",
      "%nExit codes: 0 done, 1 no such resource or part, or no answer from the server, 2 bad "
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
          "The resource, as 'holdfast get resources' lists it, and the part of it. The type may be "
              + "in any case; route, endpoint and extension will do. A PATH is one in the body.")
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
                            + ": there is no such resource ('holdfast get resources' lists all)"));
    ResourceExplanation explanation =
        ResourceExplanation.of(resource, part.path(), client.get("/api/v1/objects"));
    format.print(shell, explanation.json(), () -> explanation.render(shell.width(), shell.style()));
  }
}
