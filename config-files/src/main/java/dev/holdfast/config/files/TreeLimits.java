// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

/**
 * How large a directory tree may be. A tree beyond a limit is refused as a whole: whoever serves
 * the wrong directory, or unpacks an archive in the right one, must not have half of it served.
 *
 * @param entries files and directories of any name, except what begins with a dot
 * @param depth directories within directories
 * @param bytes the sizes of all files with objects together
 */
public record TreeLimits(int entries, int depth, long bytes) {
  public TreeLimits {
    positive("entries", entries);
    positive("depth", depth);
    positive("bytes", bytes);
  }

  /** 100,000 files and directories, 32 levels, 256 MiB. */
  public static TreeLimits defaults() {
    return new TreeLimits(100_000, 32, 256L << 20);
  }

  private static void positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: a positive number)");
    }
  }
}
