// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.state;

import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.server.StateCopies;
import dev.holdfast.server.options.StartException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast state restore}. */
@Command(
    name = "restore",
    header = "Put a backup in the place of the state of a server.",
    customSynopsis =
        "holdfast state restore FILE (--state FILE | --directory DIRECTORY | --config FILE)",
    description =
        "%nThe server must be stopped. The backup is checked first. What was there is kept beside it,"
            + " with "
            + StateCopies.REPLACED
            + " behind its name.%n",
    footer = {
      "%nExamples:",
      "  holdfast state restore monday.db --directory shop",
      "%nExit codes: 0 restored, 1 the backup is none, or a server uses the state,"
          + " 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before run()
public final class StateRestoreCommand implements Runnable {
  private final Shell shell;

  @Mixin CommonOptions common = new CommonOptions();
  @Mixin StateFileOptions target = new StateFileOptions();

  @Parameters(paramLabel = "FILE", description = "What 'holdfast state backup' wrote.")
  Path backup;

  public StateRestoreCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    Path state = target.file(shell.environment());
    boolean isReplaced = Files.exists(state);
    try {
      String summary = StateFileOptions.text(StateCopies.restore(backup, state));
      Console console = new Console(shell.out(), shell.err());
      console.print(SafeText.text(state + ": restored from " + backup + ": " + summary));
      if (isReplaced) {
        console.note(SafeText.text("what was there is in " + state + StateCopies.REPLACED));
      }
    } catch (StartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
