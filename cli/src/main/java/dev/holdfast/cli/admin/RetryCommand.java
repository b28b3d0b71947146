// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ObjectOption;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.client.ServerOption;
import dev.holdfast.cli.output.SafeText;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast retry}: one more chance for an object that is held. */
@Command(
    name = "retry",
    header = "Try an object again that is held.",
    customSynopsis =
        "holdfast retry KIND/[NAMESPACE/]NAME [-n NAMESPACE] [--server URL] [-o table|json|yaml]",
    description =
        "%nHas proxies judge an object once more that they refused, although nothing about it "
            + "changed: say, because their settings did. An edit needs no retry. If the object "
            + "waits for another one that was refused, that one is tried.%n",
    footer = {
      "%nExamples:",
      "  holdfast retry HTTPProxy/shop/web",
      "  holdfast retry httpproxy/web -n shop -o json",
      "%nExit codes: 0 it is being tried, 1 no such object, not held, or no answer from the server,"
          + " 2 bad arguments."
    })
public final class RetryCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin ObjectOption object = new ObjectOption();

  @Mixin OutputOption format = new OutputOption();

  public RetryCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    AdminClient client = server.client(shell.environment());
    JsonObject found = object.find(client);
    String key = ReportedObject.key(found);
    if (JsonFields.of(client.get("/api/v1/holds"), "items").stream()
        .noneMatch(hold -> ReportedObject.key(hold).equals(key))) {
      throw new CommandException(key + ": not held ('holdfast get holds' lists those that are)");
    }
    JsonObject tried = client.post(ReportedObject.path(found) + "/retry");
    format.print(shell, tried, () -> List.of(sentence(tried)));
  }

  private static String sentence(JsonObject tried) {
    String key = ReportedObject.key(tried);
    return SafeText.text(
        key
            + ": generation "
            + JsonFields.number(tried, "generation")
            + " is tried again ('holdfast describe "
            + key
            + "' shows what comes of it)");
  }
}
