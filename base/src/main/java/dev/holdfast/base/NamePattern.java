// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text in which each {@code *} stands for any characters but {@code /}.
 *
 * @param text as it is written
 */
public record NamePattern(String text) {
  private static final Pattern GROUP = Pattern.compile("\\{([1-9])}");

  /** What each {@code *} stands for in a name; empty if the name does not match. */
  public Optional<List<String>> match(String name) {
    StringBuilder expression = new StringBuilder();
    for (String part : text.split("\\*", -1)) {
      expression.append(expression.length() == 0 ? "" : "([^/]*)").append(Pattern.quote(part));
    }
    Matcher matcher = Pattern.compile(expression.toString(), Pattern.DOTALL).matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    List<String> stars = new ArrayList<>();
    for (int i = 1; i <= matcher.groupCount(); i++) {
      stars.add(matcher.group(i));
    }
    return Optional.of(stars);
  }

  /**
   * Whether a name matches, where {@code {1}} is what the first star of another pattern stands for.
   */
  public boolean matches(String name, List<String> stars) {
    StringBuilder expression = new StringBuilder();
    Matcher groups = GROUP.matcher(text);
    int at = 0;
    while (groups.find()) {
      append(expression, text.substring(at, groups.start()));
      int star = Integer.parseInt(groups.group(1));
      expression.append(star <= stars.size() ? Pattern.quote(stars.get(star - 1)) : "(?!)");
      at = groups.end();
    }
    append(expression, text.substring(at));
    return Pattern.compile(expression.toString(), Pattern.DOTALL).matcher(name).matches();
  }

  private static void append(StringBuilder expression, String part) {
    String[] literals = part.split("\\*", -1);
    for (int i = 0; i < literals.length; i++) {
      expression.append(i == 0 ? "" : "[^/]*").append(Pattern.quote(literals[i]));
    }
  }

  /** The text with what the stars of another pattern stand for in the place of the braces. */
  public String with(List<String> stars) {
    StringBuilder result = new StringBuilder();
    Matcher groups = GROUP.matcher(text);
    while (groups.find()) {
      int star = Integer.parseInt(groups.group(1));
      groups.appendReplacement(
          result, Matcher.quoteReplacement(star <= stars.size() ? stars.get(star - 1) : ""));
    }
    return groups.appendTail(result).toString();
  }

  /** The number of stars. */
  public int stars() {
    return (int) text.chars().filter(c -> c == '*').count();
  }

  /** The highest number in braces; 0 without one. */
  public int highestGroup() {
    int highest = 0;
    Matcher groups = GROUP.matcher(text);
    while (groups.find()) {
      highest = Math.max(highest, Integer.parseInt(groups.group(1)));
    }
    return highest;
  }

  @Override
  public String toString() {
    return text;
  }
}
