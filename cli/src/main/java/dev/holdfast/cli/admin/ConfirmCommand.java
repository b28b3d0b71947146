// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.client.ServerOption;
import dev.holdfast.cli.output.SafeText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code holdfast confirm}: lets deletions apply that wait for it. */
@Command(
    name = "confirm",
    header = "Confirm deletions that wait.",
    customSynopsis = "holdfast confirm [--server URL] [-o table|json|yaml]",
    description =
        "%nDeletes the objects that 'holdfast get deletions' lists: they are gone from the served "
            + "directory, and are served only because too many hosts would disappear with them. "
            + "If the deletion was a mistake, put the objects back instead.%n",
    footer = {
      "%nExamples:",
      "  holdfast get deletions",
      "  holdfast confirm",
      "%nExit codes: 0 confirmed, 1 no deletion waits, or no response from the server,"
          + " 2 bad arguments."
    })
public final class ConfirmCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin OutputOption format = new OutputOption();

  public ConfirmCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    AdminClient client = server.client(shell.environment());
    JsonObject waiting = client.get("/api/v1/deletions");
    if (JsonFields.of(waiting, "items").isEmpty()) {
      throw new CommandException("no deletion waits for a confirmation");
    }
    String set = URLEncoder.encode(JsonFields.text(waiting, "set"), StandardCharsets.UTF_8);
    JsonObject confirmed = client.post("/api/v1/deletions/confirm?set=" + set);
    format.print(shell, confirmed, () -> lines(confirmed));
  }

  private static List<String> lines(JsonObject confirmed) {
    List<String> lines = new ArrayList<>();
    for (JsonObject deletion : JsonFields.of(confirmed, "items")) {
      lines.add(SafeText.text(ReportedObject.key(deletion) + ": deleted"));
    }
    int hosts = JsonFields.texts(confirmed, "hosts").size();
    lines.add(hosts + (hosts == 1 ? " host is" : " hosts are") + " no longer served");
    return lines;
  }
}
