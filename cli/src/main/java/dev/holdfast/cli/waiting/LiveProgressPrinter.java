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
    List<ObjectProgress> objects = outcome.objects();
    List<String> lines = new ArrayList<>();
    int bars = Math.min(objects.size(), MOST_BARS);
    int longest =
        objects.subList(0, bars).stream()
            .mapToInt(one -> TextWrap.width(SafeText.text(one.key())))
            .max()
            .orElse(0);
    objects.subList(0, bars).forEach(progress -> lines.add(line(progress, longest)));
    if (objects.size() > bars) {
      lines.add("and " + more(objects.subList(bars, objects.size())));
    }
    draw(lines);
  }

  @Override
  public void end(WaitResult outcome) {
    draw(
        outcome.objects().stream()
            .map(
                progress ->
                    shell
                        .style()
                        .apply(
                            ObjectProgressText.colour(progress),
                            ObjectProgressText.lastLine(progress)))
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

  private String line(ObjectProgress progress, int longest) {
    int bar = shell.width() >= 80 ? BAR : SHORT_BAR;
    ObjectProgress.Counts counts = progress.proxies();
    String numbers = counts.programmed() + "/" + counts.total();
    int room = shell.width() - bar - LONGEST_STATE - TextWrap.width(numbers) - 8;
    String name = TextWrap.cut(SafeText.text(progress.key()), Math.max(8, Math.min(longest, room)));
    String gap = " ".repeat(Math.max(0, Math.min(longest, room) - TextWrap.width(name)));
    String state =
        shell.style().apply(ObjectProgressText.colour(progress), progress.state().word());
    return name + gap + "  [" + bar(progress, bar) + "] " + numbers + "  " + state;
  }

  private static String bar(ObjectProgress progress, int width) {
    ObjectProgress.Counts counts = progress.proxies();
    long full =
        progress.state() == State.PROGRAMMED || progress.state() == State.REMOVED
            ? width
            : counts.total() == 0 || progress.state() == State.UNSEEN
                ? 0
                : width * counts.programmed() / counts.total();
    return "#".repeat((int) full) + "-".repeat(width - (int) full);
  }

  private static String more(List<ObjectProgress> rest) {
    long done = rest.stream().filter(one -> one.state() == State.PROGRAMMED).count();
    return rest.size() + " more, of which " + done + " programmed";
  }
}
