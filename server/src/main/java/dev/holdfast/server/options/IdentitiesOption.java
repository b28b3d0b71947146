// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.base.NamePattern;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.ads.access.AccessRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@code xds.identities} of the options file. */
final class IdentitiesOption {
  static final String PATH = "xds.identities";

  private static final List<String> FIELDS =
      List.of("groups", "identity", "nodes", "programs", "role", "secrets", "vote");

  private final Problems problems;

  /** Takes what is wrong. */
  interface Problems {
    void at(String path, Position position, String message);
  }

  private IdentitiesOption(Problems problems) {
    this.problems = problems;
  }

  static List<AccessRule> read(Value written, Problems problems) {
    return new IdentitiesOption(problems).rules(written);
  }

  private List<AccessRule> rules(Value written) {
    List<AccessRule> rules = new ArrayList<>();
    if (!(written instanceof Sequence sequence) || sequence.elements().isEmpty()) {
      problems.at(PATH, written.position(), "not a list (expected: at least one identity)");
      return rules;
    }
    for (int i = 0; i < sequence.elements().size(); i++) {
      String path = PATH + "[" + i + "]";
      if (sequence.elements().get(i) instanceof Mapping mapping) {
        AccessRule rule = rule(path, mapping);
        if (rule != null) {
          rules.add(rule);
        }
      } else {
        problems.at(
            path, sequence.elements().get(i).position(), "not a mapping (expected: fields)");
      }
    }
    return rules;
  }

  private @Nullable AccessRule rule(String path, Mapping mapping) {
    for (String name : mapping.fields().keySet()) {
      if (!FIELDS.contains(name)) {
        problems.at(
            path + "." + name,
            mapping.keyPosition(name),
            "unknown field (expected: one of " + String.join(", ", FIELDS) + ")");
      }
    }
    List<NamePattern> identity = patterns(path, mapping, "identity");
    if (identity.size() != 1) {
      problems.at(
          path + ".identity",
          mapping.position(),
          "missing (expected: a URI or DNS name of a certificate, such as spiffe://example.org/*)");
      return null;
    }
    AccessRule.Role role = role(path, mapping);
    boolean isProxy = role == AccessRule.Role.PROXY || role == AccessRule.Role.SCOUT;
    boolean secrets = flag(path, mapping, "secrets", isProxy);
    Value asked = mapping.get("secrets");
    if (secrets && !isProxy && asked != null) {
      problems.at(
          path + ".secrets",
          asked.position(),
          "true for another role (expected: role: proxy or scout)");
    }
    AccessRule rule =
        new AccessRule(
            identity.get(0),
            role,
            patterns(path, mapping, "nodes"),
            patterns(path, mapping, "groups"),
            patterns(path, mapping, "programs"),
            flag(path, mapping, "vote", true),
            secrets);
    for (String field : List.of("nodes", "groups", "programs")) {
      for (NamePattern pattern : patterns(path, mapping, field)) {
        if (pattern.highestGroup() > rule.identity().stars()) {
          problems.at(
              path + "." + field,
              mapping.keyPosition(field),
              "'" + pattern + "' (expected: a * in the identity for each number in braces)");
        }
      }
    }
    return rule;
  }

  private AccessRule.Role role(String path, Mapping mapping) {
    Value value = mapping.get("role");
    if (value == null) {
      return AccessRule.Role.PROXY;
    }
    String text = value instanceof Scalar scalar ? String.valueOf(scalar.value()) : "";
    for (AccessRule.Role role : AccessRule.Role.values()) {
      if (role.name().toLowerCase(Locale.ROOT).equals(text)) {
        return role;
      }
    }
    problems.at(
        path + ".role",
        value.position(),
        "'" + text + "' (expected: proxy, scout, application or observer)");
    return AccessRule.Role.PROXY;
  }

  private boolean flag(String path, Mapping mapping, String field, boolean otherwise) {
    Value value = mapping.get(field);
    if (value == null) {
      return otherwise;
    }
    if (value instanceof Scalar scalar && scalar.value() instanceof Boolean flag) {
      return flag;
    }
    problems.at(path + "." + field, value.position(), "not a flag (expected: true or false)");
    return otherwise;
  }

  private List<NamePattern> patterns(String path, Mapping mapping, String field) {
    Value value = mapping.get(field);
    List<NamePattern> patterns = new ArrayList<>();
    if (value == null) {
      return patterns;
    }
    for (Value each : value instanceof Sequence list ? list.elements() : List.of(value)) {
      if (each instanceof Scalar scalar
          && scalar.value() instanceof String text
          && !text.isEmpty()) {
        patterns.add(new NamePattern(text));
      } else {
        problems.at(
            path + "." + field, each.position(), "not a string (expected: a name, with * or not)");
      }
    }
    return patterns;
  }
}
