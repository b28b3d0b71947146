// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The two places where lines go. A line is written whole and at once, from any thread, so that a
 * program at the other end of a pipe never sees half of one, nor two mixed.
 */
public final class Console {
  private final PrintStream out;
  private final PrintStream err;
  private final Runnable onBroken;

  /**
   * @param onBroken called when nobody reads {@code out} any more; may be called more than once
   */
  public Console(PrintStream out, PrintStream err, Runnable onBroken) {
    this.out = out;
    this.err = err;
    this.onBroken = onBroken;
  }

  /** A console whose owner ends soon anyway. */
  public Console(PrintStream out, PrintStream err) {
    this(out, err, () -> {});
  }

  /** What the command is there to say. */
  public void print(String line) {
    print(List.of(line));
  }

  /** Several lines that belong together: nothing comes between them. */
  public void print(List<String> lines) {
    if (!write(out, String.join("\n", lines) + "\n")) {
      onBroken.run();
    }
  }

  /** What there is to say about the command itself. */
  public void note(String line) {
    write(err, "holdfast: " + SafeText.text(line) + "\n");
  }

  private synchronized boolean write(PrintStream stream, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    stream.write(bytes, 0, bytes.length);
    return !stream.checkError(); // flushes, too
  }
}
