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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast apply}: writes objects to the served directory. */
@Command(
    name = "apply",
    header = "Write objects to the served directory or cluster, and wait for proxies to run them.",
    customSynopsis =
        "holdfast apply FILE|DIRECTORY... [--wait] [--timeout TIME] [--dry-run] [--to DIRECTORY]"
            + " [--server URL] [-o table|json|yaml]",
    description = {
      "%nValidates objects, alone and together with those that are served, and writes nothing if "
          + "there is a problem. Otherwise it writes them to the directory that the server serves. "
          + "An existing object is replaced in its file, and the rest of that file is kept. A new "
          + "object goes to the file KIND_NAMESPACE_NAME.yaml. Unchanged objects are skipped. Each "
          + "file is replaced atomically.%n",
      "With --server kubernetes:NAMESPACE/NAME, each object is validated by itself, and kubectl "
          + "applies it to the cluster.%n",
      "With --wait, shows the rollout until all proxies run the objects.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast apply shop.yaml",
      "  holdfast apply examples/shop --wait --timeout 2m",
      "  holdfast apply shop.yaml --dry-run --to /srv/shop",
      "  holdfast apply shop.yaml --wait --server kubernetes:holdfast/holdfast",
      "  holdfast apply shop.yaml --wait -o json | jq -r '.objects[] | select(.state == "
          + "\"rejected\") | .message'",
      "%nExit codes: 0 written, and with --wait all proxies run it, 1 no such file, no response "
          + "from the server, or the directory cannot be written, 2 bad arguments, 3 not valid "
          + "(nothing was written) or rejected by a proxy, 4 timed out."
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

  @Option(names = "--wait", description = "Wait until all proxies run the objects.")
  boolean wait;

  @Option(
      names = "--dry-run",
      description = "Validate and print what would be written, but write nothing.")
  boolean dryRun;

  @Option(
      names = "--to",
      paramLabel = "DIRECTORY",
      description = "The directory to write to. Default: the one that the server serves.")
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
    if (to == null && server.isInCluster(shell.environment())) {
      return applyToCluster(client, wanted);
    }
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
      return invalid(directory.toString(), validation);
    }
    ApplyPlan plan = ApplyPlan.of(directory, there, AppliedObject.of(wanted.objects()));
    return run(
        client,
        directory.toString(),
        () -> {
          if (!dryRun) {
            plan.write();
          }
          return plan.steps();
        });
  }

  /**
   * The API server and the control plane check what objects refer to: what is there is not known
   * here.
   */
  private int applyToCluster(AdminClient client, ReadResult wanted) {
    Validation validation = Validation.of(wanted);
    if (!validation.problems().isEmpty()) {
      return invalid("", validation);
    }
    ClusterApply cluster = new ClusterApply(server.kubectl(shell.environment()));
    return run(client, "", () -> cluster.apply(files.paths(), wanted.objects(), dryRun));
  }

  private Path directory(AdminClient client) {
    if (to == null) {
      return ServedDirectory.of(client);
    }
    if (!Files.isDirectory(to)) {
      throw new ParameterException(spec.commandLine(), "--to: " + to + ": no such directory");
    }
    return to;
  }

  private int invalid(String directory, Validation validation) {
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

  /**
   * @param apply writes the objects, unless this is a dry run, and returns what that means for each
   */
  private int run(AdminClient client, String directory, Supplier<List<ApplyPlan.Step>> apply) {
    Map<String, Long> before =
        wait && !dryRun ? ApplyWait.generations(client) : Collections.emptyMap();
    List<ApplyPlan.Step> steps = apply.get();
    boolean forPeople = format.format() == OutputFormat.table;
    if (forPeople) {
      new Console(shell.out(), shell.err()).print(ApplyReport.lines(steps, dryRun));
    }
    if (dryRun || !wait) {
      if (!forPeople) {
        format.print(
            shell,
            ApplyReport.of(dryRun ? "planned" : "written", directory, steps).json(),
            List::of);
      }
      return ExitCode.OK;
    }
    WaitResult outcome =
        ApplyWait.of(client, before, steps).await(shell, timeout.timeout(), forPeople);
    if (!forPeople) {
      format.print(
          shell,
          ApplyReport.of(outcome.word(WaitCondition.applied), directory, steps, outcome.objects())
              .json(),
          List::of);
    }
    return outcome.exitCode();
  }
}
