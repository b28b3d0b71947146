// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.Position;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** From bytes to characters that YAML allows, and from what people wrote to what may be shown. */
final class YamlText {
  private static final int LONGEST_SHOWN = 80;

  private YamlText() {}

  /** The text of a file; null, with the problem noted, if it is not text. */
  static @Nullable String decode(String source, byte[] content, ProblemCollector findings) {
    CharBuffer decoded = CharBuffer.allocate(content.length);
    boolean malformed =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .decode(ByteBuffer.wrap(content), decoded, /* endOfInput= */ true)
            .isError();
    String text = decoded.flip().toString();
    if (malformed) {
      findings.undecodable(
          end(source, text, text.length()), "bytes that are not UTF-8 (expected: text in UTF-8)");
      return null;
    }
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  /** Whether all of the text is allowed in YAML; if not, the first offender is noted. */
  static boolean check(String source, String text, ProblemCollector findings) {
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      if (!StreamReader.isPrintable(character)) {
        findings.undecodable(
            end(source, text, i),
            String.format("character U+%04X (expected: none that cannot be printed)", character));
        return false;
      }
      i += Character.charCount(character);
    }
    return true;
  }

  /**
   * JSON in a form that is also YAML: JSON takes a tab for a space between values, YAML does not
   * everywhere. Columns stay what they were.
   */
  static String jsonAsYaml(String json) {
    if (json.indexOf('\t') < 0) {
      return json;
    }
    StringBuilder yaml = new StringBuilder(json);
    boolean quoted = false;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == '\\' && quoted) {
        i++;
      } else if (c == '\t' && !quoted) {
        yaml.setCharAt(i, ' ');
      }
    }
    return yaml.toString();
  }

  private static Position end(String source, String text, int end) {
    int line = 1;
    int start = 0;
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c == '\n' || (c == '\r' && !(i + 1 < text.length() && text.charAt(i + 1) == '\n'))) {
        line++;
        start = i + 1;
      }
    }
    return new Position(source, line, text.codePointCount(start, end) + 1);
  }

  /** Something a person wrote, safe and short enough for a line of text. */
  static String shown(String written) {
    StringBuilder shown = new StringBuilder();
    written
        .codePoints()
        .limit(LONGEST_SHOWN)
        .forEach(
            c -> {
              if (mustBeEscaped(c)) {
                shown.append(String.format("\\u%04x", c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return written.codePointCount(0, written.length()) > LONGEST_SHOWN
        ? shown.append("...").toString()
        : shown.toString();
  }

  /** Also what is invisible but turns the direction of the text around it. */
  private static boolean mustBeEscaped(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }
}
