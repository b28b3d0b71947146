// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Style.Colour;
import java.io.IOException;

/** Waits until somebody at the terminal presses Enter, or has gone away. */
final class EnterPrompt implements Runnable {
  private final Shell shell;

  EnterPrompt(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    shell.out().print("\n" + shell.style().apply(Colour.FAINT, "  Enter goes on, Ctrl-C ends it "));
    shell.out().flush();
    try {
      int read;
      do {
        read = shell.in().read();
      } while (read != '\n' && read >= 0);
    } catch (IOException e) {
      // nobody there: go on
    }
  }
}
