// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Style;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** A line for each change, for logs and pipes. */
final class PlainProgressPrinter implements ProgressPrinter {
  private final Console console;
  private final Style style;
  private final Map<Integer, String> shown = new HashMap<>();

  PlainProgressPrinter(Shell shell) {
    console = new Console(shell.out(), shell.err());
    style = shell.style();
  }

  @Override
  public void show(WaitResult outcome) {
    show(outcome, ObjectProgressText::line);
  }

  @Override
  public void end(WaitResult outcome) {
    show(outcome, ObjectProgressText::lastLine);
  }

  /** Objects are always in the same order; their names may become more exact on the way. */
  private void show(WaitResult outcome, Function<ObjectProgress, String> text) {
    for (int i = 0; i < outcome.standings().size(); i++) {
      ObjectProgress standing = outcome.standings().get(i);
      String line = text.apply(standing);
      if (!line.equals(shown.put(i, line))) {
        console.print(style.apply(ObjectProgressText.colour(standing), line));
      }
    }
  }
}
