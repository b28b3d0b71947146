// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import dev.holdfast.cli.Shell;

/** Shows how far objects are. */
public interface ProgressPrinter {
  /** Shows nothing: programs are told at the end. */
  ProgressPrinter NONE =
      new ProgressPrinter() {
        @Override
        public void show(WaitResult outcome) {}

        @Override
        public void end(WaitResult outcome) {}
      };

  /** Called with everything that is seen, also if nothing changed. */
  void show(WaitResult outcome);

  /** Called once with what was seen last. */
  void end(WaitResult outcome);

  /** For people: bars that move on a terminal, and in a pipe a line for each change. */
  static ProgressPrinter of(Shell shell) {
    return shell.isAnimated() ? new LiveProgressPrinter(shell) : new PlainProgressPrinter(shell);
  }
}
