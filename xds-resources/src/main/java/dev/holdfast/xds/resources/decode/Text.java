// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

/** Values of the configuration as they stand in an error text. */
public final class Text {
  private static final int MAX_LENGTH = 120;

  private Text() {}

  /** In quotes, and cut when somebody sends a megabyte where a name should be. */
  public static String quote(String value) {
    return '"' + cut(value) + '"';
  }

  /** Cut to a length that fits in an error text, never in the middle of a character. */
  public static String cut(String value) {
    if (value.length() <= MAX_LENGTH) {
      return value;
    }
    int end = Character.isHighSurrogate(value.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
    return value.substring(0, end) + "...";
  }
}
