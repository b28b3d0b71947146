// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.holdfast.base.Problems;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * RE2 cannot run away while matching, but compiling can: ten bytes such as (x{999}){999} ask for a
 * program of a million instructions. So the size is estimated before anything is compiled, with a
 * limit for one expression and one for all expressions of a resource. What gRPC calls the
 * deprecated max_program_size of the message is ignored (gRFC A28).
 */
/** Compiles the regular expressions of one resource, each distinct one once, within a budget. */
public final class Regexes {
  static final int MAX_LENGTH = 4_096;
  static final int MAX_SIZE = 10_000;
  static final long MAX_TOTAL_SIZE = 1_000_000;

  private final Map<String, Pattern> compiled = new HashMap<>(0);
  private long totalSize;

  /** The pattern, or null after reporting what is wrong with it. */
  public @Nullable Pattern compile(String regex, Problems problems) {
    Pattern known = compiled.get(regex);
    if (known != null) {
      return known;
    }
    if (regex.length() > MAX_LENGTH) {
      problems.unsupported(
          "a regular expression of "
              + regex.length()
              + " characters (expected: at most "
              + MAX_LENGTH
              + ")");
      return null;
    }
    RegexSize size = RegexSize.of(regex);
    if (size.instructions() > MAX_SIZE || size.depth() > RegexSize.MAX_DEPTH) {
      problems.unsupported(
          Text.quote(regex)
              + " is too big once its repetitions are written out or its groups too deep (expected:"
              + " at most "
              + MAX_SIZE
              + " instructions and "
              + RegexSize.MAX_DEPTH
              + " nested groups)");
      return null;
    }
    totalSize += size.instructions();
    if (totalSize > MAX_TOTAL_SIZE) {
      problems.unsupported(
          "the regular expressions of this resource are too big together (expected: at most "
              + MAX_TOTAL_SIZE
              + " instructions)");
      return null;
    }
    try {
      Pattern pattern = Pattern.compile(regex);
      compiled.put(regex, pattern);
      return pattern;
    } catch (PatternSyntaxException e) {
      problems.invalid(
          Text.quote(regex) + " is no RE2 expression: " + Text.cut(e.getDescription()));
      return null;
    }
  }
}
