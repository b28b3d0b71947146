// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast get incidents}: rejections and the objects that caused them. */
@Command(
    name = "incidents",
    header = "List rejections and the objects that caused them.",
    customSynopsis = "holdfast get incidents [ID] [--server URL] [-o table|json|yaml]",
    description =
        "%nLists the latest rejections, newest first: how many changes were rejected together, how "
            + "many trials and how much time the search took, and the offending objects. With an ID, "
            + "shows every trial of that incident, and the evidence.%n",
    footer = {
      "%nExamples:",
      "  holdfast get incidents",
      "  holdfast get incidents 4",
      "  holdfast get incidents -o json | jq -r '.items[0].steps[]'",
      "%nExit codes: 0 success, 1 no such incident or no response from the server, 2 bad arguments."
    })
public final class GetIncidentsCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();

  @Parameters(arity = "0..1", paramLabel = "ID", description = "Show only this incident, in full.")
  @Nullable Long id;

  @Mixin OutputOption format = new OutputOption();

  public GetIncidentsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    AdminClient client = server.client(shell.environment());
    if (id == null) {
      JsonObject list = JsonFields.filter(client.get("/api/v1/incidents"), incident -> true);
      format.print(
          shell,
          list,
          () -> IncidentTable.render(list, shell.time().now(), shell.width(), shell.style()));
      return;
    }
    JsonObject incident =
        client
            .find("/api/v1/incidents/" + id)
            .orElseThrow(
                () ->
                    new CommandException(
                        "incident "
                            + id
                            + ": no such incident ('holdfast get incidents' lists"
                            + " all)"));
    format.print(
        shell,
        incident,
        () ->
            IncidentDescription.render(incident, shell.time().now(), shell.width(), shell.style()));
  }
}
