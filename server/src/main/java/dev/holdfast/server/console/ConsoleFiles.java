// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the console, which are resources of this package. Each is read once. */
public final class ConsoleFiles {
  /** Names that can be asked for: of a kind that browsers use, and not outside of our directory. */
  private static final Pattern NAME =
      Pattern.compile("(?:views/)?[a-z][a-z0-9-]*\\.(html|css|js|svg)");

  private static final Map<String, String> CONTENT_TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private static final int TAG_BYTES = 16;

  private final Map<String, ConsoleFile> files = new ConcurrentHashMap<>();

  /** The file of a name, such as {@code views/objects.js}; an empty name is the page itself. */
  public Optional<ConsoleFile> find(String name) {
    String wanted = name.isEmpty() ? "index.html" : name;
    Matcher matcher = NAME.matcher(wanted);
    return matcher.matches()
        ? Optional.ofNullable(
            files.computeIfAbsent(wanted, unused -> read(wanted, matcher.group(1))))
        : Optional.empty();
  }

  private static @Nullable ConsoleFile read(String name, String ending) {
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(name)) {
      if (in == null) {
        return null;
      }
      byte[] body = in.readAllBytes();
      return new ConsoleFile(CONTENT_TYPES.getOrDefault(ending, ""), body, tag(body));
    } catch (IOException e) {
      throw new UncheckedIOException("console: " + name, e);
    }
  }

  private static String tag(byte[] body) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
      return '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
