// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Reads the error text of a NACK. It is a hint only: the text differs between versions of Envoy.
 */
public final class NackMessage {
  private static final String TRUNCATED = "...(truncated)";
  private static final int TRUNCATED_LENGTH = 4096;

  private NackMessage() {}

  /**
   * The names that a NACK of clusters or listeners blames: Envoy lists each as {@code name: why}.
   *
   * @param names the names in the rejected response
   */
  public static SortedSet<String> blamed(Collection<String> names, String message) {
    SortedSet<String> found = new TreeSet<>();
    for (String name : names) {
      if (find(name, message, 0) >= 0) {
        found.add(name);
      }
    }
    return found;
  }

  /**
   * The part of a NACK about one of the names it blames: from this name to the next one, or the
   * whole text if it does not contain the name.
   */
  public static String about(String name, Collection<String> blamed, String message) {
    int start = find(name, message, 0);
    if (start < 0) {
      return message;
    }
    int from = start + name.length() + 2;
    int end = message.length();
    for (String other : blamed) {
      int at = find(other, message, from);
      end = at < 0 ? end : Math.min(end, at);
    }
    return message.substring(from, end).strip();
  }

  /** The first index of {@code name: } from an index on; negative if there is none. */
  private static int find(String name, String message, int from) {
    String item = name + ": ";
    int at = message.indexOf(item, from);
    while (at > 0 && isNamePart(message.charAt(at - 1))) {
      at = message.indexOf(item, at + 1);
    }
    return at;
  }

  /** A name may be the end of a longer one, which is another name. */
  private static boolean isNamePart(char c) {
    return c > ' ' && c != ',' && c != '\'' && c != '"';
  }

  /** Whether the text was cut off: the missing end may have named more resources. */
  public static boolean isTruncated(String message) {
    return message.length() >= TRUNCATED_LENGTH || message.endsWith(TRUNCATED);
  }
}
