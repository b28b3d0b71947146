// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The error text of a NACK. Envoy quotes configuration in it, keys included, so the text as it
 * arrived is read by this package only, to find the resources and the sort of error; everybody else
 * gets it without sensitive values. What it says is a hint only: the text differs between versions
 * of Envoy.
 */
public final class NackMessage {
  private static final String TRUNCATED = "...(truncated)";
  private static final int TRUNCATED_LENGTH = 4096;

  /** Envoy's own texts are shorter; of a longer one, the end is dropped before anybody reads it. */
  private static final int MAX_LENGTH = 8192;

  private final String unmasked;
  private final UnaryOperator<String> mask;
  private final String text;

  private NackMessage(String unmasked, UnaryOperator<String> mask) {
    this.unmasked = unmasked;
    this.mask = mask;
    this.text = mask.apply(unmasked);
  }

  /**
   * Reads the text of a request.
   *
   * @param mask replaces sensitive values
   */
  public static NackMessage read(String text, UnaryOperator<String> mask) {
    if (text.length() <= MAX_LENGTH) {
      return new NackMessage(text, mask);
    }
    int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
    return new NackMessage(text.substring(0, end), mask);
  }

  /** A text that cannot be read because of an error of our own. */
  public static NackMessage unreadable() {
    return new NackMessage("the error text cannot be read", UnaryOperator.identity());
  }

  /** The text without sensitive values. */
  public String text() {
    return text;
  }

  /** The text with sensitive values, which must not be kept. */
  String unmasked() {
    return unmasked;
  }

  @Override
  public String toString() {
    return text;
  }

  /**
   * The names that a NACK of clusters or listeners blames: Envoy lists each as {@code name: why}.
   *
   * @param names the names in the rejected response
   */
  public SortedSet<String> blamed(Collection<String> names) {
    Set<String> items = items();
    SortedSet<String> found = new TreeSet<>();
    for (String name : names) {
      if (items.contains(name) || (!isPlain(name) && find(name, 0) >= 0)) {
        found.add(name);
      }
    }
    return found;
  }

  /** Everything in the text that may be a plain name before a colon, found in one pass. */
  private Set<String> items() {
    Set<String> items = new HashSet<>();
    int start = 0;
    for (int i = 0; i + 1 < unmasked.length(); i++) {
      char c = unmasked.charAt(i);
      if (c == ':' && unmasked.charAt(i + 1) == ' ') {
        items.add(unmasked.substring(start, i));
      }
      start = isNamePart(c) ? start : i + 1;
    }
    return items;
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (!isNamePart(name.charAt(i))) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /**
   * The part of a NACK about one of the names it blames: from this name to the next one, or the
   * whole text if it does not contain the name.
   */
  public NackMessage about(String name, Collection<String> blamed) {
    int start = find(name, 0);
    if (start < 0) {
      return this;
    }
    int from = start + name.length() + 2;
    int end = unmasked.length();
    for (String other : blamed) {
      int at = find(other, from);
      end = at < 0 ? end : Math.min(end, at);
    }
    return new NackMessage(unmasked.substring(from, end).strip(), mask);
  }

  /** The first index of {@code name: } from an index on; negative if there is none. */
  private int find(String name, int from) {
    String item = name + ": ";
    int at = unmasked.indexOf(item, from);
    while (at > 0 && isNamePart(unmasked.charAt(at - 1))) {
      at = unmasked.indexOf(item, at + 1);
    }
    return at;
  }

  /** A name may be the end of a longer one, which is another name. */
  private static boolean isNamePart(char c) {
    return c > ' ' && c != ',' && c != '\'' && c != '"';
  }

  /** Whether the text was cut off: the missing end may have named more resources. */
  public boolean isTruncated() {
    return unmasked.length() >= TRUNCATED_LENGTH || unmasked.endsWith(TRUNCATED);
  }
}
