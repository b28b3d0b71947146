// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.demo.Demo;
import dev.holdfast.demo.environment.DemoSettings;
import dev.holdfast.demo.environment.DemoStoppedException;
import dev.holdfast.demo.environment.EnvoyMode;
import dev.holdfast.demo.report.Narrator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One run of the demo, from its options to its exit code. */
final class DemoRun {
  /** Held on to: the JDK forgets the level of a logger that nobody refers to. */
  private static final Logger CLIENT_LOG = Logger.getLogger("dev.holdfast.xds");

  private final Shell shell;
  private final DemoCommand command;

  DemoRun(Shell shell, DemoCommand command) {
    this.shell = shell;
    this.command = command;
  }

  int run() {
    if (!command.common.verbose()) {
      CLIENT_LOG.setLevel(Level.OFF); // what it warns of is what is shown
    }
    DemoSettings settings =
        new DemoSettings(JavaCommand.of("serve"), this::bootstrap, envoy(), shell.time());
    try {
      return new Demo(settings, narrator(), command.keep).run().held()
          ? ExitCode.OK
          : ExitCode.FAILED;
    } catch (IOException e) {
      throw new CommandException("the demo cannot go on: " + e.getMessage(), e);
    } catch (DemoStoppedException e) {
      return ExitCode.FAILED;
    }
  }

  private EnvoyMode envoy() {
    if (command.noEnvoy) {
      return EnvoyMode.NEVER;
    }
    return command.fetchEnvoy ? EnvoyMode.FETCH : EnvoyMode.IF_FOUND;
  }

  private Narrator narrator() {
    Console console = new Console(shell.out(), shell.err());
    if (command.output == DemoCommand.Output.json) {
      return new JsonNarrator(console);
    }
    boolean waits = !command.fast && shell.terminal().in() && shell.terminal().out();
    return new TextNarrator(
        new TextPage(console, shell.style(), shell.width()),
        waits ? new EnterPrompt(shell) : () -> {});
  }

  /** What {@code holdfast bootstrap envoy} prints. */
  private String bootstrap(String node, int xdsPort) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Shell inner =
        new Shell(
            shell.in(),
            new PrintStream(out, false, UTF_8),
            shell.err(),
            shell.environment(),
            shell.time(),
            Shell.Terminal.none());
    Main.run(
        inner,
        "bootstrap",
        "envoy",
        "--xds-address",
        "127.0.0.1:" + xdsPort,
        "--node",
        node,
        "--cluster",
        "demo",
        "--admin-port",
        "0");
    return out.toString(UTF_8);
  }
}
