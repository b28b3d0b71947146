// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import dev.holdfast.cli.Shell;

/** Shows how far objects are. */
public interface Progress {
  /** Shows nothing: programs are told at the end. */
  Progress NONE =
      new Progress() {
        @Override
        public void show(Outcome outcome) {}

        @Override
        public void end(Outcome outcome) {}
      };

  /** Called with everything that is seen, also if nothing changed. */
  void show(Outcome outcome);

  /** Called once with what was seen last. */
  void end(Outcome outcome);

  /** For people: bars that move on a terminal, and in a pipe a line for each change. */
  static Progress of(Shell shell) {
    return shell.isAnimated() ? new LiveProgress(shell) : new PlainProgress(shell);
  }
}
