// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast get objects}: objects and their status. */
@Command(
    name = "objects",
    header = "List objects and their status.",
    customSynopsis =
        "holdfast get objects [NAME] [-n NAMESPACE] [--kind KIND] [--server URL]"
            + " [-o table|json|yaml]",
    description =
        "%nLists the objects of a control plane: the newest generation, the generation that is "
            + "served, whether the object is valid, and whether proxies run it.%n",
    footer = {
      "%nExamples:",
      "  holdfast get objects",
      "  holdfast get objects 'web*' -n shop",
      "  holdfast get objects -o json | jq '.items[] | select(.proxies.rejected > 0)'",
      "%nExit codes: 0 success, 1 no response from the server or no such object, 2 bad arguments."
    })
public final class GetObjectsCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();

  @Mixin ObjectFilter selection = new ObjectFilter();

  @Mixin OutputOption format = new OutputOption();

  public GetObjectsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    JsonObject list = selection.list(server.client(shell.environment()), "/api/v1/objects");
    selection.mustHaveFound(list);
    format.print(shell, list, () -> ObjectTable.render(list, shell.width(), shell.style()));
  }
}
