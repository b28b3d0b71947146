// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands whose process ends with this one, however this one ends, and leaves nothing behind.
 *
 * <p>The shell becomes the program and leaves a watcher behind that reads from a pipe to this
 * process. A line in it lets the watcher go. The pipe ends without one if this process is gone, or
 * if the program has ended by itself. In the first case the watcher ends the program; if this
 * process is gone, it removes the directory. The watcher does not hear a Ctrl-C: what a shell
 * without job control runs in the background ignores it.
 */
final class EnvoyLeash {
  /** What lets the watcher go. */
  static final byte[] LET_GO = {'x', '\n'};

  private static final String SCRIPT =
      """
      exec 3<&0
      sh -c 'read -r line <&3 && exit
        if [ -r /proc/$$/stat ]; then
          read -r _ _ _ parent _ </proc/$$/stat
        else
          parent=$(ps -o ppid= -p $$ | tr -d " ")
        fi
        if [ "$parent" = "$3" ]; then
          kill -9 "$3"
        else
          kill -0 "$2" && exit
        fi
        rm -rf -- "$1"' leash "$1" "$3" "$$" >/dev/null 2>&1 &
      [ "$2" = 0 ] || ulimit -d "$2" 2>/dev/null
      niceness=$4
      shift 4
      if command -v nice >/dev/null; then
        set -- nice -n "$niceness" "$@"
      fi
      exec "$@" 3<&- </dev/null
      """;

  private EnvoyLeash() {}

  /**
   * A command that runs another one. Its standard input must stay a pipe.
   *
   * @param directory what is removed if this process is gone
   * @param megabytes how much memory it may have, where the system has such a limit; 0 for no limit
   * @param niceness by how much its priority is lower than that of this process, for the CPU time
   */
  static List<String> on(Path directory, int megabytes, int niceness, List<String> command) {
    List<String> leashed =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                SCRIPT,
                "leash",
                directory.toString(),
                Long.toString((long) megabytes << 10),
                Long.toString(ProcessHandle.current().pid()),
                Integer.toString(niceness)));
    leashed.addAll(command);
    return leashed;
  }
}
