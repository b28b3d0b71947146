// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import dev.holdfast.cli.output.Console;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast completion}: shell completion. */
@Command(
    name = "completion",
    header = "Print a shell completion script.",
    customSynopsis = "holdfast completion bash|zsh",
    description =
        "%nPrints a completion script for bash or zsh. Source it from your shell's startup file, or "
            + "install it once. In zsh it uses bashcompinit.%n",
    footer = {
      "%nExamples:",
      "  source <(holdfast completion bash)",
      "  source <(holdfast completion zsh)",
      "  holdfast completion bash > ~/.local/share/bash-completion/completions/holdfast",
      "  echo 'source <(holdfast completion zsh)' >> ~/.zshrc",
      "%nExit codes: 0 success, 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before run()
final class CompletionCommand implements Runnable {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "bash|zsh", description = "The shell.")
  Kind kind;

  /** The values are spelled as users write them. */
  enum Kind {
    bash,
    zsh
  }

  CompletionCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    // One script for both: it looks which of them reads it.
    String script = AutoComplete.bash("holdfast", spec.root().commandLine());
    new Console(shell.out(), shell.err()).print(script.stripTrailing());
  }
}
