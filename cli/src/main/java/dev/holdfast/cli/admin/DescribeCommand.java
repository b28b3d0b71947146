// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ObjectOption;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.client.ServerOption;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast describe}: all that is known of one object. */
@Command(
    name = "describe",
    header = "Show all that is known of an object.",
    customSynopsis =
        "holdfast describe KIND/[NAMESPACE/]NAME [-n NAMESPACE] [--server URL]"
            + " [-o table|json|yaml]",
    description =
        "%nShows an object's conditions, how the proxies of each class took it, the resources it "
            + "has a part in, what is wrong with it, and what happened to it last.%n",
    footer = {
      "%nExamples:",
      "  holdfast describe HTTPProxy/shop/web",
      "  holdfast describe httpproxy/web -n shop -o yaml",
      "%nExit codes: 0 done, 1 no such object, or no answer from the server, 2 bad arguments."
    })
public final class DescribeCommand implements Runnable {
  private static final int PAST = 10;

  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin ObjectOption object = new ObjectOption();

  @Mixin OutputOption format = new OutputOption();

  public DescribeCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    AdminClient client = server.client(shell.environment());
    JsonObject found = object.find(client);
    format.print(
        shell,
        found,
        () ->
            ObjectDescription.render(
                found, past(client, found), shell.time().now(), shell.width(), shell.style()));
  }

  private static List<JsonObject> past(AdminClient client, JsonObject object) {
    String key = ReportedObject.key(object);
    return JsonFields.of(
        client.get("/api/v1/history?limit=" + PAST + "&object=" + AdminClient.encode(key)),
        "items");
  }
}
