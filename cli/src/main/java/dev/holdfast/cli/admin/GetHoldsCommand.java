// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast get holds}: what proxies are kept from. */
@Command(
    name = "holds",
    header = "List objects that are held, and why.",
    customSynopsis =
        "holdfast get holds [NAME] [-n NAMESPACE] [--kind KIND] [--server URL]"
            + " [-o table|json|yaml]",
    description =
        "%nLists the objects whose newest generation is not served because proxies refused it, or "
            + "refused one that it depends on: which one is served instead, who refused it, and "
            + "what they said.%n",
    footer = {
      "%nExamples:",
      "  holdfast get holds",
      "  holdfast get holds -n shop -o yaml",
      "%nExit codes: 0 done, 1 no answer from the server, 2 bad arguments."
    })
public final class GetHoldsCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();

  @Mixin ObjectFilter selection = new ObjectFilter();

  @Mixin OutputOption format = new OutputOption();

  public GetHoldsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    JsonObject list = selection.list(server.client(shell.environment()), "/api/v1/holds");
    format.print(
        shell,
        list,
        () -> HoldTable.render(list, shell.time().now(), shell.width(), shell.style()));
  }
}
