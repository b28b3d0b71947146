// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast kubernetes status}: what a control plane has read of its cluster. */
@Command(
    name = "status",
    header = "Show how current the objects of each kind are, who leads, and what waits.",
    customSynopsis = "holdfast kubernetes status [--server URL] [-o table|json|yaml]",
    description =
        "%nAsks a server that was started with 'serve --kubernetes'. For each kind it shows whether"
            + " the objects are those of the cluster, since when not, and why.%n",
    footer = {
      "%nExamples:",
      "  holdfast kubernetes status",
      "  holdfast kubernetes status -o json",
      "%nExit codes: 0 all kinds are current, 1 no response from the server, 2 bad arguments,",
      "5 some objects are not current."
    })
public final class KubernetesStatusCommand implements Callable<Integer> {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin OutputOption format = new OutputOption();

  public KubernetesStatusCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    JsonObject source = server.client(shell.environment()).get("/api/v1/source");
    if (!JsonFields.text(source, "type").equals("kubernetes")) {
      throw new CommandException(
          "this server reads "
              + JsonFields.text(source, "place")
              + " (expected: one that was started with 'serve --kubernetes')");
    }
    format.print(
        shell,
        source,
        () -> SourceTable.render(source, shell.time().now(), shell.width(), shell.style()));
    return SourceTable.isCurrent(source) ? ExitCode.OK : ExitCode.DIFFERENT;
  }
}
