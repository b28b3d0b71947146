// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/** What the text of a rejection gives away. It is a hint: the words differ between versions. */
final class NackMessage {
  private static final String TRUNCATED = "...(truncated)";
  private static final int TRUNCATED_LENGTH = 4096;

  private NackMessage() {}

  /**
   * Which of some names a rejection of clusters or listeners blames: Envoy lists each as {@code
   * name: why}.
   */
  static SortedSet<String> blamed(Collection<String> names, String message) {
    SortedSet<String> found = new TreeSet<>();
    for (String name : names) {
      if (find(name, message, 0) >= 0) {
        found.add(name);
      }
    }
    return found;
  }

  /**
   * What a rejection says of one of those it blames: from its name to the next one's, or all of it
   * if the name is not there.
   */
  static String said(String name, Collection<String> blamed, String message) {
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

  /** Where {@code name: } stands, from some place on; negative if nowhere. */
  private static int find(String name, String message, int from) {
    String item = name + ": ";
    int at = message.indexOf(item, from);
    while (at > 0 && isNamePart(message.charAt(at - 1))) {
      at = message.indexOf(item, at + 1);
    }
    return at;
  }

  /** A name that ends another one is not that one. */
  private static boolean isNamePart(char c) {
    return c > ' ' && c != ',' && c != '\'' && c != '"';
  }

  /** Whether the end is missing, where there may have been more names. */
  static boolean isCut(String message) {
    return message.length() >= TRUNCATED_LENGTH || message.endsWith(TRUNCATED);
  }
}
