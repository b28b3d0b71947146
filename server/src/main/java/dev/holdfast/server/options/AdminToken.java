// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The token of the admin port. */
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
   * Those who can read a token can do what it allows. A group may: it is how a file is handed to a
   * service that does not own it.
   *
   * @throws StartException if everybody on the machine can read the file
   */
  static void checkReaders(Path file, String what) throws StartException {
    try {
      if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
        throw new StartException(
            what
                + " "
                + file
                + ": every user of this machine can read it (expected: chmod o-r "
                + file
                + ", and another token if others may have seen it)");
      }
    } catch (IOException e) {
      throw new StartException(what + " " + file + ": cannot be read: " + e.getMessage(), e);
    } catch (UnsupportedOperationException e) {
      // a system without such permissions
    }
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
      checkReaders(file, "token file");
    } catch (NoSuchFileException e) {
      throw new StartException("token file " + file + ": no such file", e);
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
