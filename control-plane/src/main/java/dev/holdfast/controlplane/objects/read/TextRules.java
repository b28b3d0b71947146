// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/** Rules for strings that several kinds share. */
public final class TextRules {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String DNS = LABEL + "(\\." + LABEL + ")*";
  private static final String TOKEN = "[a-zA-Z0-9!#$%&'*+.^_`|~-]+";

  public static final TextRule ANY = TextRule.checked("a string", text -> true);
  public static final TextRule NOT_EMPTY = TextRule.matching("[\\s\\S]+", "not empty");

  /** The name of an object. */
  public static final TextRule NAME =
      TextRule.matching(DNS, "a lower-case DNS name of at most 253 characters").atMost(253);

  public static final TextRule NAMESPACE =
      TextRule.matching(LABEL, "a lower-case DNS label of at most 63 characters").atMost(63);

  /** A reference to a secret in the same or in another namespace. */
  public static final TextRule SECRET_REFERENCE =
      TextRule.matching("(" + LABEL + "/)?" + DNS, "NAME or NAMESPACE/NAME").atMost(317);

  public static final TextRule HOSTNAME =
      TextRule.matching(DNS, "a lower-case DNS name").atMost(253);

  /** The host of a virtual host. */
  public static final TextRule HOST_OR_WILDCARD =
      TextRule.matching("(\\*\\.)?" + DNS, "a lower-case DNS name, its first label possibly \"*\"")
          .atMost(253);

  /**
   * Requests never contain control characters, and Envoy rejects them in the paths that it writes.
   */
  public static final TextRule PATH =
      TextRule.matching(
          "/[^\\x00-\\x1f\\x7f]*", "a path that starts with \"/\", no control characters");

  /** The name of a header, or a request method. */
  public static final TextRule TOKEN_NAME =
      TextRule.matching(TOKEN, "at most 256 letters, digits and !#$%&'*+.^_`|~- only").atMost(256);

  public static final TextRule HEADER_VALUE =
      TextRule.matching(
          "[^\\x00-\\x08\\x0a-\\x1f\\x7f]*", "no control characters such as line breaks");

  /** A regular expression in Envoy's dialect. */
  public static final TextRule REGEX =
      TextRule.checked("a regular expression that RE2 understands", TextRules::isRegex)
          .explained(TextRules::explainRegex);

  private TextRules() {}

  /** Whether RE2, and so Envoy, can compile it. */
  public static boolean isRegex(String text) {
    return explainRegex(text).isEmpty();
  }

  /** What RE2 says of a text that it cannot compile, and where; empty if it can. */
  public static String explainRegex(String text) {
    try {
      Pattern.compile(text);
      return "";
    } catch (PatternSyntaxException e) {
      // RE2 names the part that it cannot read instead of a position.
      String part = e.getPattern();
      int at = part == null || part.equals(text) ? -1 : text.indexOf(part);
      return "RE2 says: "
          + e.getDescription()
          + (at < 0 ? "" : ", at character " + (at + 1) + ": " + ValueTypes.quote(part));
    } catch (StackOverflowError e) {
      return "it is nested too deep";
    }
  }
}
