// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.objects.ObjectFiles;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.serve.Signals;
import dev.holdfast.cli.waiting.TimeSpan;
import dev.holdfast.server.check.EnvoyJudge;
import dev.holdfast.server.envoy.BootstrapTemplate;
import dev.holdfast.server.envoy.EnvoyProgram;
import dev.holdfast.server.options.ObjectRules;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.probe.Sink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast check}: what real proxies make of objects in files. */
@Command(
    name = "check",
    header = "Try objects in files on real Envoys that serve nobody.",
    customSynopsis = {
      "holdfast check FILE|DIRECTORY... [--envoy PATH]... [--baseline DIRECTORY]",
      "                      [--probe] [--grpc] [--config FILE]",
      "                      [--bootstrap FILE] [-o text|json|junit|sarif]",
      "                      [--hang-after TIME] [--timeout TIME] [--memory MB]"
    },
    description = {
      "%nValidates the objects, starts the Envoys and finds every object that one of them refuses,"
          + " dies of or hangs on. No server is needed, and nothing is sent to any backend.%n",
      "With --baseline, it judges the change from that directory to the files: what was bad before"
          + " does not fail the check.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast check examples/shop",
      "  holdfast check shop --baseline main/shop --envoy envoy-1.36 --envoy envoy-1.39",
      "  holdfast check shop -o sarif > findings.sarif",
      "%nExit codes: 0 no object is bad, 3 an object is bad, 1 no Envoy or another failure, 2 bad"
          + " arguments, 4 not all objects were judged in time."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class CheckCommand implements Callable<Integer> {
  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(8);

  /** What a proxy gets in one second, at the least. */
  private static final int OBJECTS_PER_SECOND = 2_000;

  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();
  @Mixin ObjectFiles files = new ObjectFiles();

  @Option(
      names = "--envoy",
      paramLabel = "PATH",
      description =
          "The executable of an Envoy to ask; may be repeated. Default: the one that ENVOY names,"
              + " else the one on the PATH.")
  List<Path> envoys = List.of();

  @Option(
      names = "--baseline",
      paramLabel = "DIRECTORY",
      description = "The objects as they were before the change.")
  @Nullable Path baseline;

  @Option(
      names = "--bootstrap",
      paramLabel = "FILE",
      description =
          "A bootstrap of the proxies that are to serve the objects: its runtime, its bootstrap"
              + " extensions and the like also count here.")
  @Nullable Path bootstrap;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration file of the server: its settings count, and what it does not allow its"
              + " authors is bad.")
  @Nullable Path config;

  @Option(
      names = "--grpc",
      description =
          "Also find what gRPC clients without a proxy cannot use, or would refuse. Without an Envoy,"
              + " only that.")
  boolean grpc;

  @Option(
      names = "--probe",
      description =
          "Also send a request to each route. It ends in a sink inside of this command, and reaches"
              + " no backend.")
  boolean probe;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|junit|sarif",
      description = "The output format. Default: ${DEFAULT-VALUE}.")
  Format format = Format.text;

  @Option(
      names = "--hang-after",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description =
          "How long an Envoy may take to answer before it hangs. Default: 8s, and 1s more for each"
              + " 2000 objects.")
  @Nullable Duration hangAfter;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description = "How long everything may take. Default: 5m.")
  Duration timeout = Duration.ofMinutes(5);

  @Option(
      names = "--memory",
      paramLabel = "MB",
      description =
          "How much memory an Envoy may have, where the system has such a limit; 0 for no limit."
              + " Default: ${DEFAULT-VALUE}.")
  int memory = 2048;

  /** The values are spelled as users write them. */
  enum Format {
    text,
    json,
    junit,
    sarif
  }

  public CheckCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.applyQuietly();
    long began = System.nanoTime();
    if (memory < 0 || memory > 1 << 20) {
      throw bad("--memory: " + memory + " (expected: from 0 to 1048576)");
    }
    if (hangAfter != null && hangAfter.compareTo(Duration.ofSeconds(1)) < 0) {
      throw bad("--hang-after: " + hangAfter.toMillis() + "ms (expected: at least 1s)");
    }
    ObjectRules rules = rules();
    ObjectTree before =
        baseline == null
            ? ObjectTree.EMPTY
            : ObjectTree.of(
                files.read(List.of(baseline), rules), ObjectTree.EMPTY, rules.translation());
    ObjectTree now = ObjectTree.of(files.read(rules), before, rules.translation());
    List<EnvoyProgram> programs = programs();
    Console console = new Console(shell.out(), shell.err());
    Thread self = Thread.currentThread();
    Signals.onStop(self::interrupt);
    CheckProgress progress = new CheckProgress(shell, now.objects().size());
    try (Sink sink = Sink.open()) {
      List<Findings.Verdicts> verdicts =
          new CheckRun(settings(rules, now, sink.port()), timeout, probe ? sink : null, progress)
              .run(programs, baseline == null ? null : before, now);
      progress.end();
      CheckReport report =
          new CheckReport(
              now.positions(),
              judges(verdicts),
              findings(rules, before, now, verdicts),
              verdicts.stream()
                  .allMatch(each -> each.now().isComplete() && each.probes().isComplete()),
              Duration.ofNanos(System.nanoTime() - began));
      print(console, report);
      return report.exitCode();
    } catch (IOException e) {
      throw new CommandException("no port on 127.0.0.1 for the sink: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      progress.end();
      console.note("interrupted; there is no verdict");
      return ExitCode.FAILED;
    }
  }

  private List<String> judges(List<Findings.Verdicts> verdicts) {
    List<String> judges = new ArrayList<>();
    verdicts.forEach(each -> judges.add(each.proxy()));
    if (grpc) {
      judges.add("the rules of " + GrpcCheck.CLIENT);
    }
    return judges;
  }

  private List<Finding> findings(
      ObjectRules rules, ObjectTree before, ObjectTree now, List<Findings.Verdicts> verdicts) {
    List<Finding> findings = new ArrayList<>(Findings.of(before, now, verdicts));
    if (grpc) {
      findings.addAll(
          Findings.news(
              GrpcCheck.of(before, rules.translation()), GrpcCheck.of(now, rules.translation())));
    }
    return findings;
  }

  private void print(Console console, CheckReport report) {
    switch (format) {
      case text -> console.print(TextFormat.of(report));
      case json -> console.print(Json.pretty(JsonFormat.of(report)));
      case sarif -> console.print(Json.pretty(SarifFormat.of(report)));
      case junit -> console.print(JunitFormat.of(report));
    }
  }

  private List<EnvoyProgram> programs() {
    try {
      List<EnvoyProgram> programs = EnvoyProgram.find(envoys, shell.environment());
      if (programs.isEmpty() && !grpc) {
        throw new CommandException(
            "no Envoy found (expected: --envoy PATH, the path of one in ENVOY, or envoy on the"
                + " PATH)");
      }
      return programs;
    } catch (StartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private EnvoyJudge.Settings settings(ObjectRules rules, ObjectTree now, int sinkPort) {
    Duration patience =
        hangAfter == null
            ? LEAST_PATIENCE.plusSeconds(now.objects().size() / OBJECTS_PER_SECOND)
            : hangAfter;
    return new EnvoyJudge.Settings(
        rules.translation(),
        rules.translation().settings().authors().policy(),
        patience,
        memory,
        sinkPort,
        template());
  }

  private BootstrapTemplate template() {
    try {
      return bootstrap == null ? BootstrapTemplate.NONE : BootstrapTemplate.read(bootstrap);
    } catch (StartException e) {
      throw bad("--bootstrap: " + e.getMessage());
    }
  }

  private ObjectRules rules() {
    try {
      return config == null ? ObjectRules.none() : ObjectRules.of(config);
    } catch (StartException e) {
      throw bad(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
