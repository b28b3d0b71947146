// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast get problems}: everything that is not as its author wants it. */
@Command(
    name = "problems",
    header = "List everything that is not as its author wants it.",
    customSynopsis =
        "holdfast get problems [NAME] [-n NAMESPACE] [--kind KIND] [--server URL]"
            + " [-o table|json|yaml]",
    description =
        "%nLists files that cannot be read, objects that are invalid, held, in conflict, waiting or "
            + "served in part, and proxies with a problem of their own: what is wrong, since when, "
            + "what is served instead, and where it is written. Warnings of objects come last.%n",
    footer = {
      "%nExamples:",
      "  holdfast get problems",
      "  holdfast get problems -n shop",
      "  holdfast get problems -o json | jq -r '.items[] | .location + \": \" + .message'",
      "%nExit codes: 0 no problems (there may be warnings), 1 no response from the server, 2 bad "
          + "arguments, 5 there are problems."
    })
public final class GetProblemsCommand implements Callable<Integer> {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();

  @Mixin ObjectFilter selection = new ObjectFilter();

  @Mixin OutputOption format = new OutputOption();

  public GetProblemsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    JsonObject list = selection.list(server.client(shell.environment()), "/api/v1/problems");
    format.print(
        shell,
        list,
        () -> ProblemList.render(list, shell.time().now(), shell.width(), shell.style()));
    boolean isAny =
        JsonFields.of(list, "items").stream()
            .anyMatch(item -> JsonFields.text(item, "severity").equals("problem"));
    return isAny ? ExitCode.DIFFERENT : ExitCode.OK;
  }
}
