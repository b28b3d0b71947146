// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import dev.holdfast.cli.Shell;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** A line on a terminal that says how far each proxy is; nothing anywhere else. */
final class CheckProgress {
  private final Shell shell;
  private final long objects;
  private final Map<String, Long> judged = new TreeMap<>();
  private boolean drawn;

  CheckProgress(Shell shell, long objects) {
    this.shell = shell;
    this.objects = objects;
  }

  /** A proxy has judged so many objects. */
  synchronized void show(String proxy, long number) {
    if (!shell.isAnimated() || Long.valueOf(number).equals(judged.put(proxy, number))) {
      return;
    }
    StringBuilder line = new StringBuilder();
    judged.forEach(
        (name, count) ->
            line.append(line.isEmpty() ? "" : "   ").append(name + " " + count + "/" + objects));
    write("\r\u001b[K" + line.substring(0, Math.min(line.length(), shell.width() - 1)));
    drawn = true;
  }

  /** Takes the line away. */
  synchronized void end() {
    if (drawn) {
      write("\r\u001b[K");
      drawn = false;
    }
  }

  private void write(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    shell.err().write(bytes, 0, bytes.length);
    shell.err().flush();
  }
}
