// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.List;

/**
 * Rejections that say something of the machine the proxy is on, and nothing of what was sent: a
 * port that is taken, a file that is missing. Others may well accept the same, and so may this one
 * later.
 */
final class Environment {
  private static final List<String> WORDS =
      List.of(
          "cannot bind",
          "Address already in use",
          "Cannot assign requested address",
          "Permission denied",
          "unable to open file",
          "Invalid path",
          "Too many open files");

  private Environment() {}

  static boolean isToBlame(String message) {
    return WORDS.stream().anyMatch(message::contains);
  }
}
