// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import dev.holdfast.cli.admin.ConfirmCommand;
import dev.holdfast.cli.admin.DescribeCommand;
import dev.holdfast.cli.admin.DiffCommand;
import dev.holdfast.cli.admin.ExplainCommand;
import dev.holdfast.cli.admin.GetCommand;
import dev.holdfast.cli.admin.GetDeletionsCommand;
import dev.holdfast.cli.admin.GetHoldsCommand;
import dev.holdfast.cli.admin.GetIncidentsCommand;
import dev.holdfast.cli.admin.GetObjectsCommand;
import dev.holdfast.cli.admin.GetProblemsCommand;
import dev.holdfast.cli.admin.GetProxiesCommand;
import dev.holdfast.cli.admin.GetResourcesCommand;
import dev.holdfast.cli.admin.HistoryCommand;
import dev.holdfast.cli.admin.KubernetesCommand;
import dev.holdfast.cli.admin.KubernetesStatusCommand;
import dev.holdfast.cli.admin.RetryCommand;
import dev.holdfast.cli.apply.ApplyCommand;
import dev.holdfast.cli.bootstrap.BootstrapCommand;
import dev.holdfast.cli.bootstrap.BootstrapEnvoyCommand;
import dev.holdfast.cli.bootstrap.BootstrapGrpcCommand;
import dev.holdfast.cli.certs.CertsCommand;
import dev.holdfast.cli.check.CheckCommand;
import dev.holdfast.cli.compare.CompareCommand;
import dev.holdfast.cli.demo.DemoCommand;
import dev.holdfast.cli.objects.ValidateCommand;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.serve.ServeCommand;
import dev.holdfast.cli.state.StateBackupCommand;
import dev.holdfast.cli.state.StateCommand;
import dev.holdfast.cli.state.StateRestoreCommand;
import dev.holdfast.cli.waiting.WaitCommand;
import dev.holdfast.cli.xds.XdsCommand;
import dev.holdfast.cli.xds.XdsStatusCommand;
import dev.holdfast.cli.xds.XdsWatchCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/** The entry point of the process, and the error handling that all commands share. */
public final class Main {
  private static final int WIDEST_HELP = 100;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(Shell.ofProcess(), args));
  }

  /** Runs one command to its end and returns the exit code. */
  public static int run(Shell shell, String... args) {
    Console console = new Console(shell.out(), shell.err());
    CommandLine commands = configure(commands(shell), console, shell);
    try {
      return commands.execute(args);
    } catch (Error e) { // out of memory, say; picocli handles exceptions only
      console.note("internal error, please report it: " + e);
      return ExitCode.FAILED;
    }
  }

  private static CommandLine configure(CommandLine commands, Console console, Shell shell) {
    return commands
        .setOut(new PrintWriter(shell.out(), /* autoFlush= */ true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(shell.err(), /* autoFlush= */ true, StandardCharsets.UTF_8))
        .setColorScheme(
            Help.defaultColorScheme(shell.style() == Style.COLOURED ? Help.Ansi.ON : Help.Ansi.OFF))
        .setUsageHelpWidth(Math.max(56, Math.min(shell.width(), WIDEST_HELP)))
        .setParameterExceptionHandler((e, unused) -> badArguments(console, e))
        .setExecutionExceptionHandler((e, command, unused) -> failed(console, shell, command, e));
  }

  /** All commands, to run or to document. */
  static CommandLine commands(Shell shell) {
    return UsageErrors.explained(allCommands(shell));
  }

  private static CommandLine allCommands(Shell shell) {
    return new CommandLine(new HoldfastCommand())
        .addSubcommand(new DemoCommand(shell))
        .addSubcommand(new ServeCommand(shell))
        .addSubcommand(new ApplyCommand(shell))
        .addSubcommand(
            new CommandLine(new GetCommand())
                .addSubcommand(new GetObjectsCommand(shell))
                .addSubcommand(new GetProblemsCommand(shell))
                .addSubcommand(new GetProxiesCommand(shell))
                .addSubcommand(new GetResourcesCommand(shell))
                .addSubcommand(new GetHoldsCommand(shell))
                .addSubcommand(new GetDeletionsCommand(shell))
                .addSubcommand(new GetIncidentsCommand(shell)))
        .addSubcommand(new DescribeCommand(shell))
        .addSubcommand(new ExplainCommand(shell))
        .addSubcommand(new DiffCommand(shell))
        .addSubcommand(new CompareCommand(shell))
        .addSubcommand(new HistoryCommand(shell))
        .addSubcommand(new WaitCommand(shell))
        .addSubcommand(new RetryCommand(shell))
        .addSubcommand(new ConfirmCommand(shell))
        .addSubcommand(
            new CommandLine(new KubernetesCommand())
                .addSubcommand(new KubernetesStatusCommand(shell)))
        .addSubcommand(new ValidateCommand(shell))
        .addSubcommand(new CheckCommand(shell))
        .addSubcommand(
            new CommandLine(new BootstrapCommand())
                .addSubcommand(new BootstrapEnvoyCommand(shell))
                .addSubcommand(new BootstrapGrpcCommand(shell)))
        .addSubcommand(new CertsCommand(shell))
        .addSubcommand(
            new CommandLine(new StateCommand())
                .addSubcommand(new StateBackupCommand(shell))
                .addSubcommand(new StateRestoreCommand(shell)))
        .addSubcommand(
            new CommandLine(new XdsCommand())
                .addSubcommand(new XdsWatchCommand(shell))
                .addSubcommand(new XdsStatusCommand(shell)))
        .addSubcommand(new CompletionCommand(shell));
  }

  private static int badArguments(Console console, ParameterException e) {
    console.note(UsageErrors.text(e));
    return ExitCode.BAD_ARGUMENTS;
  }

  private static int failed(Console console, Shell shell, CommandLine command, Exception e) {
    if (e instanceof CommandException) {
      console.note(String.valueOf(e.getMessage()));
      return ExitCode.FAILED;
    }
    if (e instanceof ParameterException bad) {
      return badArguments(console, bad);
    }
    console.note("internal error, please report it: " + e + " (--verbose shows where)");
    if (command.getParseResult().hasMatchedOption("--verbose")) {
      e.printStackTrace(shell.err());
    }
    return ExitCode.FAILED;
  }
}
