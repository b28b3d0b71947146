// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks for.
 *
 * @param path as it was written, not decoded: an encoded slash is no slash
 * @param query by name, decoded
 */
record RequestTarget(String path, Map<String, String> query) {
  /**
   * @throws HttpProblem if it makes no sense
   */
  static RequestTarget of(URI uri) {
    String path = uri.getRawPath();
    return new RequestTarget(path == null ? "" : path, query(uri.getRawQuery()));
  }

  private static Map<String, String> query(@Nullable String text) {
    Map<String, String> query = new TreeMap<>();
    if (text == null) {
      return query;
    }
    for (String pair : text.split("&", -1)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      if (query.put(name, decode(value.replace('+', ' '))) != null) {
        throw HttpProblem.badRequest("parameter: " + name + " (expected: once)");
      }
    }
    return query;
  }

  /** The path after a prefix, not decoded; null if the path is another one. */
  @Nullable String after(String prefix) {
    return path.startsWith(prefix) ? path.substring(prefix.length()) : null;
  }

  /** Only these parameters may be there: one that is misspelled is better refused than ignored. */
  RequestTarget allow(String... names) {
    for (String name : query.keySet()) {
      if (!Set.of(names).contains(name)) {
        throw HttpProblem.badRequest(
            "parameter: "
                + name
                + (names.length == 0
                    ? " (expected: none)"
                    : " (expected: one of " + String.join(", ", names) + ")"));
      }
    }
    return this;
  }

  /** A whole number; the default if the parameter is not there. */
  long number(String name, long least, long most, long otherwise) {
    String text = query.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the same answer as below
    }
    throw HttpProblem.badRequest(
        name + ": " + text + " (expected: a number from " + least + " to " + most + ")");
  }

  /**
   * Text without its percent signs.
   *
   * @throws HttpProblem if the encoding is broken
   */
  static String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '%') {
        byte[] plain = String.valueOf(c).getBytes(UTF_8);
        bytes.write(plain, 0, plain.length);
        continue;
      }
      int high = i + 2 <= text.length() - 1 ? Character.digit(text.charAt(i + 1), 16) : -1;
      int low = i + 2 <= text.length() - 1 ? Character.digit(text.charAt(i + 2), 16) : -1;
      if (high < 0 || low < 0) {
        throw HttpProblem.badRequest("percent-encoding: broken in '" + text + "'");
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
    } catch (CharacterCodingException e) {
      throw HttpProblem.badRequest("percent-encoding: not UTF-8 in '" + text + "'");
    }
  }
}
