// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast get deletions}: deletions that wait for a confirmation. */
@Command(
    name = "deletions",
    header = "List deletions that wait for a confirmation.",
    customSynopsis = "holdfast get deletions [--server URL] [-o table|json|yaml]",
    description =
        "%nLists the objects that are gone from the served directory and are served nevertheless, "
            + "because too many hosts would disappear with them. Put the objects back, or confirm "
            + "the deletion with 'holdfast confirm'.%n",
    footer = {
      "%nExamples:",
      "  holdfast get deletions",
      "  holdfast get deletions -o json",
      "%nExit codes: 0 success, 1 no response from the server, 2 bad arguments."
    })
public final class GetDeletionsCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin OutputOption format = new OutputOption();

  public GetDeletionsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    JsonObject list = server.client(shell.environment()).get("/api/v1/deletions");
    format.print(
        shell,
        list,
        () -> DeletionTable.render(list, shell.time().now(), shell.width(), shell.style()));
  }
}
