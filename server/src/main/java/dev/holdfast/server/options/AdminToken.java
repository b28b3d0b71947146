// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What callers of the admin port must show. */
public final class AdminToken {
  /** As a header can carry it (RFC 6750), and too long to be guessed. */
  private static final Pattern SYNTAX = Pattern.compile("[A-Za-z0-9._~+/=-]{16,512}");

  private static final long LARGEST_FILE = 4096;

  private AdminToken() {}

  /** What is wrong with a token, without the token; null if nothing is. */
  public static @Nullable String problem(String token) {
    return SYNTAX.matcher(token).matches()
        ? null
        : token.length() + " characters (expected: 16 to 512 of A-Z a-z 0-9 . _ ~ + / = -)";
  }

  /**
   * The token in a file, without the line break at its end.
   *
   * @throws StartException if there is none
   */
  public static String read(Path file) throws StartException {
    String token;
    try {
      if (Files.size(file) > LARGEST_FILE) {
        throw new StartException("token file " + file + ": too large (expected: one line)");
      }
      token = Files.readString(file).strip();
    } catch (NoSuchFileException e) {
      throw new StartException("token file " + file + ": there is no such file", e);
    } catch (CharacterCodingException e) {
      throw new StartException("token file " + file + ": not UTF-8 (expected: one line)", e);
    } catch (IOException e) {
      throw new StartException("token file " + file + ": cannot be read: " + e.getMessage(), e);
    }
    String problem = problem(token);
    if (problem != null) {
      throw new StartException("token file " + file + ": " + problem);
    }
    return token;
  }
}
