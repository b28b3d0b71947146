// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

/** Keeps texts that others wrote, or that grow with what others sent, within bounds. */
final class TextLimits {
  /** Beyond this a log gains nothing and the limits of who gets the text may be hit. */
  static final int LONGEST = 64 * 1024;

  private TextLimits() {}

  /** The text, or its beginning if it is too long. */
  static String bounded(String text) {
    return bounded(text, LONGEST);
  }

  /** The text if it has at most {@code length} characters, else as many of it and three dots. */
  static String bounded(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    boolean splitsAPair = Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, splitsAPair ? length - 1 : length) + "...";
  }
}
