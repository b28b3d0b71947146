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

/** {@code holdfast get incidents}: what was refused, and who was to blame. */
@Command(
    name = "incidents",
    header = "List rejections and who was to blame.",
    customSynopsis = "holdfast get incidents [ID] [--server URL] [-o table|json|yaml]",
    description =
        "%nLists the last rejections, newest first: how many changes were refused together, what "
            + "it took to tell which of them are to blame, and which those are. With an ID, shows "
            + "one of them trial by trial, with the evidence.%n",
    footer = {
      "%nExamples:",
      "  holdfast get incidents",
      "  holdfast get incidents 4",
      "  holdfast get incidents -o json | jq -r '.items[0].steps[]'",
      "%nExit codes: 0 done, 1 no such incident, or no answer from the server, 2 bad arguments."
    })
public final class GetIncidentsCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();

  @Parameters(arity = "0..1", paramLabel = "ID", description = "Only this one, with all of it.")
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
                            + ": none is remembered ('holdfast get incidents' lists"
                            + " all)"));
    format.print(
        shell,
        incident,
        () ->
            IncidentDescription.render(incident, shell.time().now(), shell.width(), shell.style()));
  }
}
