// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.ObjectOption;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast diff}: what an author wants against what proxies run. */
@Command(
    name = "diff",
    header = "Compare what is wanted of an object with what is served.",
    customSynopsis =
        "holdfast diff KIND/[NAMESPACE/]NAME [-n NAMESPACE] [--server URL] [-o table|json|yaml]",
    description =
        "%nCompares what an object says now with the generation of it that proxies run: the same,"
            + " unless it is held or on its way. Shows a unified diff, of at most 100 lines."
            + " Private keys are left out, and of a Secret nothing is shown.%n",
    footer = {
      "%nExamples:",
      "  holdfast diff HTTPProxy/shop/web",
      "  holdfast diff httpproxy/web -n shop -o json | jq -r '.diff[]'",
      "%nExit codes: 0 they are the same, 1 no such object, or no answer from the server, 2 bad "
          + "arguments, 5 they differ."
    })
public final class DiffCommand implements Callable<Integer> {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin ObjectOption object = new ObjectOption();
  @Mixin OutputOption format = new OutputOption();

  public DiffCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    JsonObject found = object.find(server.client(shell.environment()));
    ObjectDiff difference = ObjectDiff.of(found);
    format.print(shell, difference.json(), () -> difference.render(shell.style()));
    return difference.isOne() ? ExitCode.DIFFERENT : ExitCode.OK;
  }
}
