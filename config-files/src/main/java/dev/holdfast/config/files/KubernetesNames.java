// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which names Kubernetes allows where. Each method tells what is wrong; null if nothing is. */
final class KubernetesNames {
  private static final int LONGEST_NAME = 253;
  private static final int LONGEST_LABEL = 63;

  private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[-a-z0-9]*[a-z0-9])?");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?");
  private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");
  private static final Pattern VERSION =
      Pattern.compile("v[0-9]{1,9}(?:(?:alpha|beta)[0-9]{1,9})?");

  private KubernetesNames() {}

  static @Nullable String any(String text) {
    return null;
  }

  static @Nullable String name(String text) {
    return isSubdomain(text)
        ? null
        : problem(
            text,
            "at most "
                + LONGEST_NAME
                + " of a-z, 0-9, '-' and '.', each part between dots beginning and ending with a"
                + " letter or digit");
  }

  static @Nullable String namespace(String text) {
    return isLabel(text)
        ? null
        : problem(
            text,
            "at most "
                + LONGEST_LABEL
                + " of a-z, 0-9 and '-', beginning and ending with a letter or digit");
  }

  static @Nullable String kind(String text) {
    return KIND.matcher(text).matches() ? null : problem(text, "a kind such as HTTPProxy");
  }

  static @Nullable String apiVersion(String text) {
    int slash = text.indexOf('/');
    boolean good =
        VERSION.matcher(text.substring(slash + 1)).matches()
            && (slash < 0 || isSubdomain(text.substring(0, slash)));
    return good ? null : problem(text, "group/version such as projectcontour.io/v1, or v1");
  }

  /** The name of a label or annotation. */
  static @Nullable String qualified(String text) {
    int slash = text.indexOf('/');
    boolean good =
        isWord(text.substring(slash + 1)) && (slash < 0 || isSubdomain(text.substring(0, slash)));
    return good
        ? null
        : problem(
            text,
            "a name of at most "
                + LONGEST_LABEL
                + " letters, digits, '-', '_' and '.', with or without a domain and '/' before"
                + " it");
  }

  static @Nullable String labelValue(String text) {
    return text.isEmpty() || isWord(text)
        ? null
        : problem(
            text,
            "at most "
                + LONGEST_LABEL
                + " letters, digits, '-', '_' and '.', beginning and ending with a letter or"
                + " digit");
  }

  private static String problem(String text, String expected) {
    return "\"" + YamlText.shown(text) + "\" (expected: " + expected + ")";
  }

  private static boolean isWord(String text) {
    return text.length() <= LONGEST_LABEL && WORD.matcher(text).matches();
  }

  private static boolean isLabel(String text) {
    return text.length() <= LONGEST_LABEL && LABEL.matcher(text).matches();
  }

  private static boolean isSubdomain(String text) {
    if (text.length() > LONGEST_NAME) {
      return false;
    }
    for (String part : text.split("\\.", -1)) {
      if (!LABEL.matcher(part).matches()) {
        return false;
      }
    }
    return true;
  }
}
