// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.regex.Pattern;

/**
 * Recognises rejections that are due to the proxy's machine rather than to the resource: a port in
 * use, a missing file. Other proxies may accept the same bytes, and this one may accept them later.
 *
 * <p>Only listeners qualify, because only the operator writes them. Every other type contains text
 * of authors, and Envoy quotes some of it in its errors: an author must not be able to disguise a
 * mistake as a local problem.
 */
public final class LocalProblems {
  /** How Envoy's error text about a listener begins, after the listener's name. */
  private static final Pattern CAUSES =
      Pattern.compile(
          "cannot bind '[^']*': "
              + "|unable to open file '[^']*': "
              + "|unable to read file: "
              + "|file \\S+ does not exist"
              + "|Invalid path: ");

  private LocalProblems() {}

  /**
   * @param message the proxy's error text about this one resource
   */
  public static boolean matches(ResourceType type, NackMessage message) {
    return type == ResourceType.LISTENER && CAUSES.matcher(message.unmasked()).lookingAt();
  }
}
