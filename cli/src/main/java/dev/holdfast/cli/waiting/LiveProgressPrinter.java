// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.TextWrap;
import dev.holdfast.cli.waiting.ObjectProgress.State;
import java.util.ArrayList;
import java.util.List;

/** A bar for each object, drawn anew in the same place as proxies accept. */
final class LiveProgressPrinter implements ProgressPrinter {
  /** More would not fit onto a small terminal, and what has scrolled away cannot be redrawn. */
  private static final int MOST_BARS = 15;

  private static final int LONGEST_STATE = "not-referenced".length();
  private static final int BAR = 20;
  private static final int SHORT_BAR = 6;

  private final Shell shell;
  private final Console console;
  private int drawn;

  LiveProgressPrinter(Shell shell) {
    this.shell = shell;
    console = new Console(shell.out(), shell.err());
  }

  @Override
  public void show(WaitResult outcome) {
    List<ObjectProgress> standings = outcome.standings();
    List<String> lines = new ArrayList<>();
    int bars = Math.min(standings.size(), MOST_BARS);
    int longest =
        standings.subList(0, bars).stream()
            .mapToInt(one -> TextWrap.width(SafeText.text(one.key())))
            .max()
            .orElse(0);
    standings.subList(0, bars).forEach(standing -> lines.add(line(standing, longest)));
    if (standings.size() > bars) {
      lines.add("and " + more(standings.subList(bars, standings.size())));
    }
    draw(lines);
  }

  @Override
  public void end(WaitResult outcome) {
    draw(
        outcome.standings().stream()
            .map(
                standing ->
                    shell
                        .style()
                        .apply(
                            ObjectProgressText.colour(standing),
                            ObjectProgressText.lastLine(standing)))
            .toList());
  }

  /** In the place of what was drawn before. */
  private void draw(List<String> lines) {
    String back = drawn == 0 ? "" : "\u001b[" + drawn + "A\u001b[J";
    List<String> text = new ArrayList<>(lines);
    text.set(0, back + text.get(0));
    console.print(text);
    drawn = lines.size();
  }

  private String line(ObjectProgress standing, int longest) {
    int bar = shell.width() >= 80 ? BAR : SHORT_BAR;
    ObjectProgress.Counts counts = standing.proxies();
    String numbers = counts.programmed() + "/" + counts.total();
    int room = shell.width() - bar - LONGEST_STATE - TextWrap.width(numbers) - 8;
    String name = TextWrap.cut(SafeText.text(standing.key()), Math.max(8, Math.min(longest, room)));
    String gap = " ".repeat(Math.max(0, Math.min(longest, room) - TextWrap.width(name)));
    String state =
        shell.style().apply(ObjectProgressText.colour(standing), standing.state().word());
    return name + gap + "  [" + bar(standing, bar) + "] " + numbers + "  " + state;
  }

  private static String bar(ObjectProgress standing, int width) {
    ObjectProgress.Counts counts = standing.proxies();
    long full =
        standing.state() == State.PROGRAMMED || standing.state() == State.REMOVED
            ? width
            : counts.total() == 0 || standing.state() == State.UNSEEN
                ? 0
                : width * counts.programmed() / counts.total();
    return "#".repeat((int) full) + "-".repeat(width - (int) full);
  }

  private static String more(List<ObjectProgress> rest) {
    long done = rest.stream().filter(one -> one.state() == State.PROGRAMMED).count();
    return rest.size() + " more, of which " + done + " programmed";
  }
}
