// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import com.google.gson.JsonElement;
import dev.holdfast.base.Problems;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the text of a bootstrap and reads it. */
final class BootstrapSource {
  private static final String FILE = "GRPC_XDS_BOOTSTRAP";
  private static final String INLINE = "GRPC_XDS_BOOTSTRAP_CONFIG";

  private BootstrapSource() {}

  static XdsBootstrap fromEnvironment(Map<String, String> environment) {
    String file = environment.getOrDefault(FILE, "");
    String inline = environment.getOrDefault(INLINE, "");
    if (!file.isEmpty()) {
      return fromFile(toPath(file));
    }
    if (!inline.isEmpty()) {
      return fromJson(inline, "$" + INLINE);
    }
    throw failure(
        "from the environment",
        "none (expected: $%s to name a file, or $%s to hold the JSON itself)"
            .formatted(FILE, INLINE));
  }

  static XdsBootstrap fromFile(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw failure(file.toString(), "no such file");
    } catch (AccessDeniedException e) {
      throw failure(file.toString(), "not allowed to read");
    } catch (CharacterCodingException e) {
      throw failure(file.toString(), "not text (expected: JSON in UTF-8)");
    } catch (IOException e) {
      throw failure(file.toString(), "cannot be read: " + e.getMessage());
    }
    return fromJson(text, file.toString());
  }

  static XdsBootstrap fromJson(String json, String source) {
    Problems problems = new Problems();
    JsonElement root = StrictJson.read(json, problems);
    XdsBootstrap bootstrap = root == null ? null : parse(root, problems);
    if (bootstrap == null || problems.any()) {
      throw new BootstrapException(source, problems.list());
    }
    return bootstrap;
  }

  private static @Nullable XdsBootstrap parse(JsonElement root, Problems problems) {
    Fields fields = Fields.of(root, problems);
    return fields == null ? null : BootstrapParser.parse(fields);
  }

  private static Path toPath(String file) {
    try {
      return Path.of(file);
    } catch (InvalidPathException e) {
      throw failure("$" + FILE, "not a file name: " + e.getMessage());
    }
  }

  private static BootstrapException failure(String source, String message) {
    Problems problems = new Problems();
    problems.invalid(message);
    return new BootstrapException(source, problems.list());
  }
}
