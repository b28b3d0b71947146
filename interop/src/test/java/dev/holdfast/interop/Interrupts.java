// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether a test can interrupt a process with SIGINT. */
public final class Interrupts {
  private Interrupts() {}

  /** A shell has what it starts in the background ignore them, and that is inherited. */
  public static boolean areIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
  }
}
