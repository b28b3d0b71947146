// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.regex.Pattern;

/**
 * Rejections that say something of the machine the proxy is on, and nothing of what was sent: a
 * port that is taken, a file that is missing. Others may well accept the same, and so may this one
 * later.
 *
 * <p>Only listeners are the operator's alone. Whatever else is sent has parts that authors wrote,
 * and some of those come back in error texts: an author must not be able to have a mistake taken
 * for the weather.
 */
final class LocalProblems {
  /** How Envoy begins to say so. What a listener is called does not belong to it. */
  private static final Pattern CAUSES =
      Pattern.compile(
          "cannot bind '[^']*': "
              + "|unable to open file '[^']*': "
              + "|unable to read file: "
              + "|file \\S+ does not exist"
              + "|Invalid path: ");

  private LocalProblems() {}

  /**
   * @param said what the proxy said of the one resource
   */
  static boolean isToBlame(ResourceType type, String said) {
    return type == ResourceType.LISTENER && CAUSES.matcher(said).lookingAt();
  }
}
