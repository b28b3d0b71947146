// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import java.util.ArrayList;
import java.util.List;

/** Processes that end with this JVM, even if that is killed. */
public final class Leash {
  /**
   * Becomes the program, leaving behind a watcher that reads from a pipe to this JVM and, when that
   * ends and the program still is its parent, ends the program. The watcher is told which one that
   * is: its own parent may be another one already when it begins.
   */
  private static final String SCRIPT =
      """
      exec 3<&0
      sh -c 'cat <&3 >/dev/null
        read -r _ _ _ parent _ </proc/$$/stat && [ "$parent" = "$1" ] && kill -9 "$1"' leash "$$" &
      exec "$@" 3<&- </dev/null
      """;

  private Leash() {}

  /** A command that runs another one. Its standard input must stay a pipe. */
  public static List<String> on(List<String> command) {
    List<String> leashed = new ArrayList<>(List.of("sh", "-c", SCRIPT, "leash"));
    leashed.addAll(command);
    return leashed;
  }
}
