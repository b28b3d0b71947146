// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/** What the text of a rejection gives away. It is a hint: the words differ between versions. */
final class NackText {
  private static final String TRUNCATED = "...(truncated)";
  private static final int TRUNCATED_LENGTH = 4096;

  private NackText() {}

  /**
   * Which of some names a rejection of clusters or listeners blames: Envoy lists each as {@code
   * name: why}.
   */
  static SortedSet<String> blamed(Collection<String> names, String message) {
    SortedSet<String> found = new TreeSet<>();
    for (String name : names) {
      String item = name + ": ";
      for (int at = message.indexOf(item); at >= 0; at = message.indexOf(item, at + 1)) {
        if (at == 0 || !isNamePart(message.charAt(at - 1))) {
          found.add(name);
          break;
        }
      }
    }
    return found;
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
