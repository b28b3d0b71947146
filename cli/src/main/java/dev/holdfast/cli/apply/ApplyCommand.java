// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.OutputFormat;
import dev.holdfast.cli.client.OutputOption;
import dev.holdfast.cli.client.ServerOption;
import dev.holdfast.cli.objects.ObjectFiles;
import dev.holdfast.cli.objects.Validation;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.waiting.TimeoutOption;
import dev.holdfast.cli.waiting.WaitCondition;
import dev.holdfast.cli.waiting.WaitResult;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.files.FileSet;
import dev.holdfast.config.files.ReadResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast apply}: from files to proxies. */
@Command(
    name = "apply",
    header = "Put objects into the directory that is served.",
    customSynopsis =
        "holdfast apply FILE|DIRECTORY... [--wait] [--timeout TIME] [--dry-run] [--to DIRECTORY]"
            + " [--server URL] [-o table|json|yaml]",
    description = {
      "%nChecks objects, alone and together with those that are served, and writes nothing if "
          + "anything is wrong. Else puts them into the directory that the server serves: one "
          + "that is there already is replaced where it stands, with every other character of "
          + "its file kept; a new one gets the file KIND_NAMESPACE_NAME.yaml. What says the same "
          + "already is left alone. Each file is replaced at once.%n",
      "With --wait, shows how proxies take it, until all have.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast apply shop.yaml",
      "  holdfast apply examples/shop --wait --timeout 2m",
      "  holdfast apply shop.yaml --dry-run --to /srv/shop",
      "  holdfast apply shop.yaml --wait -o json | jq -r '.objects[] | select(.state == "
          + "\"rejected\") | .message'",
      "%nExit codes: 0 written, and with --wait all proxies run it, 1 no such file, no answer from "
          + "the server, or the directory cannot be written, 2 bad arguments, 3 refused: by the "
          + "check, and then nothing was written, or by a proxy, 4 timed out."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class ApplyCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ServerOption server = new ServerOption();
  @Mixin ObjectFiles files = new ObjectFiles();
  @Mixin OutputOption format = new OutputOption();
  @Mixin TimeoutOption timeout = new TimeoutOption();

  @Option(names = "--wait", description = "Wait until all proxies run what was written.")
  boolean wait;

  @Option(names = "--dry-run", description = "Check, say what would be written, and stop there.")
  boolean dryRun;

  @Option(
      names = "--to",
      paramLabel = "DIRECTORY",
      description = "Where to write. Default: the directory that the server says it serves.")
  @Nullable Path to;

  @Option(
      names = "--skip-references",
      description =
          "Check each object by itself, and not whether what it refers to is there: the rest is to"
              + " follow.")
  boolean skipReferences;

  public ApplyCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    ReadResult wanted = files.read();
    AdminClient client = server.client(shell.environment());
    Path directory = directory(client);
    Map<ObjectKey, ConfigObject> there = new LinkedHashMap<>();
    FileSet.read(List.of(directory))
        .objects()
        .forEach(object -> there.putIfAbsent(object.key(), object));
    Validation validation = Validation.of(wanted);
    if (validation.problems().isEmpty() && !skipReferences) {
      validation = Validation.together(wanted, there.values());
    }
    if (!validation.problems().isEmpty()) {
      return invalid(directory, validation);
    }
    ApplyPlan plan = ApplyPlan.of(directory, there, AppliedObject.of(wanted.objects()));
    return dryRun ? planned(directory, plan) : write(client, directory, plan);
  }

  private Path directory(AdminClient client) {
    if (to == null) {
      return ServedDirectory.of(client);
    }
    if (!Files.isDirectory(to)) {
      throw new ParameterException(
          spec.commandLine(), "--to: " + to + ": there is no such directory");
    }
    return to;
  }

  private int invalid(Path directory, Validation validation) {
    format.print(
        shell,
        ApplyReport.invalid(directory, validation.problems()).json(),
        () -> {
          List<String> lines = new ArrayList<>();
          validation.problems().forEach(problem -> lines.add(problem.text()));
          int count = lines.size();
          lines.add(count + (count == 1 ? " problem" : " problems") + "; nothing was written");
          return lines;
        });
    return ExitCode.REJECTED;
  }

  private int planned(Path directory, ApplyPlan plan) {
    format.print(
        shell,
        ApplyReport.of("planned", directory, plan).json(),
        () -> ApplyReport.lines(plan, /* dryRun= */ true));
    return ExitCode.OK;
  }

  private int write(AdminClient client, Path directory, ApplyPlan plan) {
    ApplyWait rollout = wait ? ApplyWait.before(client, plan) : null;
    plan.write();
    boolean forPeople = format.format() == OutputFormat.table;
    if (forPeople) {
      new Console(shell.out(), shell.err()).print(ApplyReport.lines(plan, /* dryRun= */ false));
    }
    if (rollout == null) {
      if (!forPeople) {
        format.print(shell, ApplyReport.of("written", directory, plan).json(), List::of);
      }
      return ExitCode.OK;
    }
    WaitResult outcome = rollout.await(shell, timeout.timeout(), forPeople);
    if (!forPeople) {
      format.print(
          shell,
          ApplyReport.of(outcome.word(WaitCondition.applied), directory, plan, outcome.standings())
              .json(),
          List::of);
    }
    return outcome.exitCode();
  }
}
