// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.state;

import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.server.StateCopies;
import dev.holdfast.server.options.StartException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast state backup}. */
@Command(
    name = "backup",
    header = "Copy the state of a server, also while it runs.",
    customSynopsis = {
      "holdfast state backup FILE (--state FILE | --directory DIRECTORY | --config FILE)",
      "                             [--force]"
    },
    description =
        "%nThe copy has everything up to one moment, and is checked before it has its name. Only its"
            + " owner can read it. The server does not wait for it.%n",
    footer = {
      "%nExamples:",
      "  holdfast state backup monday.db --directory shop",
      "  holdfast state backup /backup/holdfast.db --config holdfast.yaml --force",
      "%nExit codes: 0 copied, 1 the state cannot be read or the copy not be written,"
          + " 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before run()
public final class StateBackupCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin StateFileOptions source = new StateFileOptions();

  @Parameters(paramLabel = "FILE", description = "The copy.")
  Path backup;

  @Option(names = "--force", description = "Replace a file that is there.")
  boolean force;

  public StateBackupCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    Path state = source.file(shell.environment());
    try {
      String summary = StateFileOptions.text(StateCopies.write(state, backup, force));
      new Console(shell.out(), shell.err())
          .print(SafeText.text(backup + ": a copy of " + state + ": " + summary));
    } catch (StartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
