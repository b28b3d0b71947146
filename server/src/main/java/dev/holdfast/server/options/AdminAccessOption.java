// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.base.NamePattern;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads {@code admin.tokens} and {@code admin.identities} of the options file. */
final class AdminAccessOption {
  static final String TOKENS = "admin.tokens";
  static final String IDENTITIES = "admin.identities";

  private final IdentitiesOption.Problems problems;

  AdminAccessOption(IdentitiesOption.Problems problems) {
    this.problems = problems;
  }

  /**
   * @param path makes a path of a text
   * @param reads whether the files with the tokens are read
   * @throws StartException if a file holds no token
   */
  List<AdminSecurity.Token> tokens(Value written, Function<String, Path> path, boolean reads)
      throws StartException {
    List<AdminSecurity.Token> tokens = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Mapping entry : entries(TOKENS, written, List.of("name", "role", "tokenFile"))) {
      String name = text(TOKENS, entry, "name");
      AdminRole role = role(TOKENS, entry);
      String file = text(TOKENS, entry, "tokenFile");
      if (name == null || role == null || file == null) {
        continue;
      }
      if (!names.add(name)) {
        problems.at(
            TOKENS, entry.keyPosition("name"), "'" + name + "' is used twice (expected: once)");
      } else if (reads) {
        tokens.add(new AdminSecurity.Token(name, role, AdminToken.read(path.apply(file))));
      }
    }
    return tokens;
  }

  List<AdminSecurity.Identity> identities(Value written) {
    List<AdminSecurity.Identity> identities = new ArrayList<>();
    for (Mapping entry : entries(IDENTITIES, written, List.of("identity", "role"))) {
      String name = text(IDENTITIES, entry, "identity");
      AdminRole role = role(IDENTITIES, entry);
      if (name != null && role != null) {
        identities.add(new AdminSecurity.Identity(new NamePattern(name), role));
      }
    }
    return identities;
  }

  private List<Mapping> entries(String path, Value value, List<String> fields) {
    List<Mapping> entries = new ArrayList<>();
    if (!(value instanceof Sequence sequence) || sequence.elements().isEmpty()) {
      problems.at(path, value.position(), "not a list (expected: at least one entry)");
      return entries;
    }
    for (Value element : sequence.elements()) {
      if (!(element instanceof Mapping mapping)) {
        problems.at(path, element.position(), "not a mapping (expected: fields)");
        continue;
      }
      for (String name : mapping.fields().keySet()) {
        if (!fields.contains(name)) {
          problems.at(
              path + "." + name,
              mapping.keyPosition(name),
              "unknown field (expected: one of " + String.join(", ", fields) + ")");
        }
      }
      entries.add(mapping);
    }
    return entries;
  }

  private @Nullable AdminRole role(String path, Mapping entry) {
    String text = text(path, entry, "role");
    try {
      return text == null ? null : AdminRole.parse(text);
    } catch (IllegalArgumentException e) {
      problems.at(path + ".role", entry.keyPosition("role"), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable String text(String path, Mapping entry, String field) {
    Value value = entry.get(field);
    if (value instanceof Scalar scalar
        && scalar.value() instanceof String text
        && !text.isEmpty()) {
      return text;
    }
    problems.at(
        path + "." + field,
        value == null ? entry.position() : value.position(),
        "missing (expected: a string)");
    return null;
  }
}
