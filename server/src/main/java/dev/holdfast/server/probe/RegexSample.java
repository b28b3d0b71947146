// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A text that a regular expression matches, for the expressions that people write for paths and
 * headers. What it makes is tried with the expression, so that a construct it does not understand
 * costs a sample and is never a wrong one.
 */
final class RegexSample {
  private static final int MOST_REPEATS = 64;
  private static final int LONGEST = 1_000;

  private final String regex;
  private int at;

  private RegexSample(String regex) {
    this.regex = regex;
  }

  /** A text that the whole expression matches; null if none is found. */
  static @Nullable String of(String regex) {
    try {
      String sample = new RegexSample(regex).all();
      return sample.length() <= LONGEST && Pattern.compile(regex).matcher(sample).matches()
          ? sample
          : null;
    } catch (NotUnderstood | PatternSyntaxException | StackOverflowError e) {
      return null;
    }
  }

  private static final class NotUnderstood extends RuntimeException {
    NotUnderstood() {
      super("", null, false, false);
    }
  }

  private String all() {
    String sample = alternatives();
    if (at < regex.length()) {
      throw new NotUnderstood();
    }
    return sample;
  }

  /** The first alternative; the others are read over. */
  private String alternatives() {
    String first = sequence();
    while (at < regex.length() && regex.charAt(at) == '|') {
      at++;
      sequence();
    }
    return first;
  }

  private String sequence() {
    StringBuilder sample = new StringBuilder();
    while (at < regex.length() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
      sample.append(repeated(atom()));
    }
    return sample.toString();
  }

  private String atom() {
    char c = next();
    return switch (c) {
      case '^', '$' -> "";
      case '.' -> "a";
      case '(' -> group();
      case '[' -> String.valueOf(oneOfClass());
      case '\\' -> escaped();
      case '*', '+', '?', '{' -> throw new NotUnderstood();
      default -> String.valueOf(c);
    };
  }

  private String group() {
    if (regex.startsWith("?:", at)) {
      at += 2;
    } else if (regex.startsWith("?P<", at) || regex.startsWith("?<", at)) {
      at = regex.indexOf('>', at) + 1;
      if (at == 0) {
        throw new NotUnderstood();
      }
    } else if (regex.startsWith("?", at)) {
      throw new NotUnderstood();
    }
    String inner = alternatives();
    if (next() != ')') {
      throw new NotUnderstood();
    }
    return inner;
  }

  private String escaped() {
    char c = next();
    return switch (c) {
      case 'd' -> "1";
      case 'w' -> "a";
      case 's' -> " ";
      case 'D', 'S' -> "a";
      case 'W' -> "-";
      case 'A', 'z', 'b' -> "";
      default -> {
        if (Character.isLetterOrDigit(c)) {
          throw new NotUnderstood();
        }
        yield String.valueOf(c);
      }
    };
  }

  /** The first letter or digit of a class, or else its first character. */
  private char oneOfClass() {
    int end = at;
    boolean isNegated = at < regex.length() && regex.charAt(at) == '^';
    while (end < regex.length() && (regex.charAt(end) != ']' || end == at + (isNegated ? 1 : 0))) {
      end += regex.charAt(end) == '\\' ? 2 : 1;
    }
    if (end >= regex.length()) {
      throw new NotUnderstood();
    }
    Pattern member = Pattern.compile("[" + regex.substring(at, end) + "]");
    at = end + 1;
    for (char candidate : "a1AbzZ0-_./~%@:=&, ".toCharArray()) {
      if (member.matches(String.valueOf(candidate))) {
        return candidate;
      }
    }
    for (char candidate = '!'; candidate <= '~'; candidate++) {
      if (member.matches(String.valueOf(candidate))) {
        return candidate;
      }
    }
    throw new NotUnderstood();
  }

  private String repeated(String atom) {
    if (at >= regex.length()) {
      return atom;
    }
    int times;
    switch (regex.charAt(at)) {
      case '*', '+', '?' -> {
        times = 1;
        at++;
      }
      case '{' -> {
        int end = regex.indexOf('}', at);
        String least = end < 0 ? "" : regex.substring(at + 1, end).split(",", -1)[0];
        if (!least.matches("[0-9]{1,2}") || Integer.parseInt(least) > MOST_REPEATS) {
          throw new NotUnderstood();
        }
        times = Integer.parseInt(least);
        at = end + 1;
      }
      default -> {
        return atom;
      }
    }
    if (at < regex.length() && regex.charAt(at) == '?') {
      at++; // lazy or not, it matches the same
    }
    return atom.repeat(times);
  }

  private char next() {
    if (at >= regex.length()) {
      throw new NotUnderstood();
    }
    return regex.charAt(at++);
  }
}
