// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast get holds}: held objects. */
@Command(
    name = "holds",
    header = "List held objects and the reason for each hold.",
    customSynopsis =
        "holdfast get holds [NAME] [-n NAMESPACE] [--kind KIND] [--server URL]"
            + " [-o table|json|yaml]",
    description =
        "%nLists the objects whose newest generation is held because a proxy rejected it, or "
            + "rejected an object that it depends on: the generation that is served instead, the "
            + "class that rejected it, and the proxy's error.%n",
    footer = {
      "%nExamples:",
      "  holdfast get holds",
      "  holdfast get holds -n shop -o yaml",
      "%nExit codes: 0 success, 1 no response from the server, 2 bad arguments."
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
