// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Style.Colour;
import java.io.IOException;

/** Waits until the user presses Enter or closes the terminal. */
final class EnterPrompt implements Runnable {
  private final Shell shell;

  EnterPrompt(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    shell
        .out()
        .print(
            "\n" + shell.style().apply(Colour.FAINT, "  Press Enter to continue, Ctrl-C to stop "));
    shell.out().flush();
    try {
      int read;
      do {
        read = shell.in().read();
      } while (read != '\n' && read >= 0);
    } catch (IOException e) {
      // the terminal is gone: continue
    }
  }
}
