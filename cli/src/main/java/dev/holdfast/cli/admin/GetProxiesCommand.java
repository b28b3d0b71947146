// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast get proxies}: connected proxies. */
@Command(
    name = "proxies",
    header = "List connected proxies and their state.",
    customSynopsis = "holdfast get proxies [NODE] [--server URL] [-o table|json|yaml]",
    description =
        "%nLists the proxies that are connected to a control plane, one line per stream: how many "
            + "resources each proxy runs, and the error of what it rejects now.%n",
    footer = {
      "%nExamples:",
      "  holdfast get proxies",
      "  holdfast get proxies 'edge-*' -o yaml",
      "%nExit codes: 0 success, 1 no response from the server, 2 bad arguments."
    })
public final class GetProxiesCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "NODE",
      description = "Only proxies with this node id; * matches any text.")
  String node = "*";

  @Mixin OutputOption format = new OutputOption();

  public GetProxiesCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    Predicate<String> nodes = JsonFields.glob(node);
    JsonObject list =
        JsonFields.filter(
            server.client(shell.environment()).get("/api/v1/proxies"),
            proxy -> nodes.test(JsonFields.text(proxy, "node")));
    format.print(
        shell,
        list,
        () -> ProxyTable.render(list, shell.time().now(), shell.width(), shell.style()));
  }
}
