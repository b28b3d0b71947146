// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An upper estimate of what a regular expression compiles to, from one pass over its text. It need
 * not understand everything: whatever it takes for more than it is only makes the estimate higher,
 * and syntax errors are the compiler's to report.
 *
 * @param instructions size of the program, with all counted repetitions written out
 * @param depth how deep groups are nested
 */
record RegexSize(long instructions, int depth) {
  static final int MAX_DEPTH = 200;

  /** Beyond any limit; adding to or multiplying it must not overflow. */
  private static final long HUGE = 1L << 40;

  static RegexSize of(String regex) {
    return new Scan(regex).run();
  }

  private static final class Scan {
    private final String text;
    private int at;

    /** Sizes of the groups around the current one, up to the atom before their parenthesis. */
    private final Deque<Long> outer = new ArrayDeque<>();

    private long sum;
    private long lastAtom;
    private int maxDepth;

    Scan(String text) {
      this.text = text;
    }

    RegexSize run() {
      while (at < text.length()) {
        step(text.charAt(at++));
      }
      while (!outer.isEmpty()) {
        close();
      }
      return new RegexSize(Math.min(HUGE, sum + lastAtom + 2), maxDepth);
    }

    private void step(char c) {
      switch (c) {
        case '\\':
          skipEscape();
          atom(1);
          break;
        case '[':
          skipClass();
          atom(1);
          break;
        case '(':
          atom(0);
          outer.push(sum);
          sum = 0;
          maxDepth = Math.max(maxDepth, outer.size());
          break;
        case ')':
          if (!outer.isEmpty()) {
            close();
          }
          break;
        case '{':
          repeat();
          break;
        case '*':
        case '+':
        case '?':
          lastAtom++;
          break;
        default:
          atom(1);
      }
    }

    private void atom(long size) {
      sum = Math.min(HUGE, sum + lastAtom);
      lastAtom = size;
    }

    private void close() {
      long group = Math.min(HUGE, sum + lastAtom + 2);
      sum = outer.pop();
      lastAtom = group;
    }

    /** Skips the escaped character, and the braces of {@code \\x{10FFFF}} or {@code \\p{Greek}}. */
    private void skipEscape() {
      if (at == text.length()) {
        return;
      }
      char escaped = text.charAt(at++);
      boolean takesBraces = escaped == 'x' || escaped == 'p' || escaped == 'P';
      if (takesBraces && at < text.length() && text.charAt(at) == '{') {
        int end = text.indexOf('}', at);
        at = end < 0 ? at : end + 1;
      }
    }

    /** Skips to the bracket that ends a character class; the first one in it is literal. */
    private void skipClass() {
      if (at < text.length() && text.charAt(at) == '^') {
        at++;
      }
      if (at < text.length() && text.charAt(at) == ']') {
        at++;
      }
      while (at < text.length()) {
        char c = text.charAt(at++);
        if (c == '\\') {
          at++;
        } else if (c == '[' && at < text.length() && text.charAt(at) == ':') {
          int end = text.indexOf(":]", at);
          at = end < 0 ? at : end + 2;
        } else if (c == ']') {
          return;
        }
      }
    }

    /** {@code {n}}, {@code {n,}} or {@code {n,m}} multiply the atom before; else it is literal. */
    private void repeat() {
      int end = text.indexOf('}', at);
      long most = end < 0 ? -1 : mostRepeats(at, end);
      if (most < 0) {
        atom(1);
        return;
      }
      at = end + 1;
      lastAtom = Math.min(HUGE, (lastAtom + 1) * (most + 1));
    }

    private long mostRepeats(int from, int end) {
      long number = 0;
      long most = 0;
      for (int i = from; i < end; i++) {
        char c = text.charAt(i);
        if (c == ',') {
          most = number;
          number = 0;
        } else if (c >= '0' && c <= '9') {
          number = Math.min(1_000_000, number * 10 + (c - '0'));
        } else {
          return -1;
        }
      }
      return Math.max(most, number);
    }
  }
}
