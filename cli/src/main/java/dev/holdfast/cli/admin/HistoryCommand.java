// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ObjectName;
import dev.holdfast.cli.client.ObjectOption;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.PollTrigger;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.client.ServerOption;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Yaml;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast history}: what happened. */
@Command(
    name = "history",
    header = "Show what happened, and what happens.",
    customSynopsis =
        "holdfast history [--object KIND/[NAMESPACE/]NAME] [--limit N] [--follow] [--server URL]"
            + " [-o table|json|yaml]",
    description =
        "%nShows what happened to objects, proxies and the server, the newest last; also what "
            + "happened before the server was last started. With --follow, goes on with what "
            + "happens until it is interrupted.%n",
    footer = {
      "%nExamples:",
      "  holdfast history",
      "  holdfast history --object HTTPProxy/shop/web --limit 50",
      "  holdfast history --follow -o json | jq -r 'select(.kind == \"REJECTED\") | .message'",
      "%nExit codes: 0 done, 1 no such object, or no answer from the server, 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before run()
public final class HistoryCommand implements Runnable {
  private static final int MOST = 1000;
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin OutputOption format = new OutputOption();

  @Option(
      names = "--object",
      paramLabel = "KIND/[NAMESPACE/]NAME",
      converter = ObjectName.Converter.class,
      description = "Only what happened to this object.")
  @Nullable ObjectName object;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most so many, the newest; up to 1000. Default: ${DEFAULT-VALUE}.")
  int limit = 20;

  @Option(
      names = {"-f", "--follow"},
      description =
          "Go on with what happens. With -o json, each on a line of its own; with -o yaml, each a"
              + " document.")
  boolean follow;

  public HistoryCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--limit: " + limit + " (expected: 1 to " + MOST + ")");
    }
    AdminClient client = server.client(shell.environment());
    HistoryReader reader = new HistoryReader(client, key(client));
    if (follow) {
      follow(client, reader);
      return;
    }
    List<JsonObject> past = reader.newest(limit);
    JsonObject list = new JsonObject();
    JsonArray items = new JsonArray();
    past.forEach(items::add);
    list.add("items", items);
    format.print(shell, list, () -> HistoryText.render(past, shell.width(), shell.style()));
  }

  /** The full name of the object that is wanted; one that is gone still has a past. */
  private @Nullable String key(AdminClient client) {
    if (object == null) {
      return null;
    }
    boolean gone =
        object.namespace() != null
            && JsonFields.of(client.get("/api/v1/objects"), "items").stream()
                .noneMatch(object::matches);
    return gone ? object.toString() : ReportedObject.key(ObjectOption.find(client, object));
  }

  private void follow(AdminClient client, HistoryReader reader) {
    AtomicBoolean broken = new AtomicBoolean();
    Console console = new Console(shell.out(), shell.err(), () -> broken.set(true));
    reader.newest(limit).forEach(entry -> print(console, entry));
    boolean lost = false;
    try (PollTrigger pulse = new PollTrigger(client, shell.time(), LOOK_EVERY, null)) {
      while (!broken.get() && pulse.await()) {
        try {
          reader.since().forEach(entry -> print(console, entry));
          lost = false;
        } catch (CommandException e) {
          if (!lost) {
            console.note(e.getMessage() + "; going on when it is back");
          }
          lost = true;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(Console console, JsonObject entry) {
    console.print(
        switch (format.format()) {
          case json -> List.of(Json.line(entry));
          case yaml -> List.of("---", Yaml.of(entry));
          case table -> HistoryText.lines(entry, shell.width(), shell.style());
        });
  }
}
