// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.base.NamePattern;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.authors.Capability;
import dev.holdfast.controlplane.authors.DirectoryRule;
import dev.holdfast.controlplane.authors.ExtensionRules;
import dev.holdfast.controlplane.authors.HeaderRules;
import dev.holdfast.controlplane.authors.HostRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code authors} of the options file. What it does not say has the safe default. */
final class AuthorsOption {
  static final String PATH = "authors";

  private final IdentitiesOption.Problems problems;

  private AuthorsOption(IdentitiesOption.Problems problems) {
    this.problems = problems;
  }

  static AuthorPolicy read(Value written, IdentitiesOption.Problems problems) {
    return new AuthorsOption(problems).policy(written);
  }

  private AuthorPolicy policy(Value written) {
    Mapping mapping =
        mapping(PATH, written, List.of("directories", "extensions", "headers", "hosts"));
    if (mapping == null) {
      return AuthorPolicy.SAFE;
    }
    return new AuthorPolicy(
        directories(mapping.get("directories")),
        hosts(mapping.get("hosts")),
        extensions(mapping.get("extensions")),
        headers(mapping.get("headers")));
  }

  private List<DirectoryRule> directories(@Nullable Value written) {
    String path = PATH + ".directories";
    List<DirectoryRule> rules = new ArrayList<>();
    for (Mapping entry : entries(path, written, List.of("directory", "namespaces"))) {
      List<NamePattern> directory = patterns(path, entry, "directory");
      List<NamePattern> namespaces = patterns(path, entry, "namespaces");
      if (directory.size() != 1 || namespaces.isEmpty()) {
        problems.at(
            path, entry.position(), "incomplete (expected: a directory, and its namespaces)");
      } else if (!isInTree(directory.get(0).text())) {
        problems.at(
            path + ".directory",
            entry.keyPosition("directory"),
            "'"
                + directory.get(0)
                + "' (expected: a path in the served directory, such as team-*,"
                + " or . for all of it)");
      } else {
        checkGroups(path, entry, namespaces, directory.get(0).stars());
        rules.add(new DirectoryRule(directory.get(0), namespaces));
      }
    }
    return rules;
  }

  private static boolean isInTree(String text) {
    Path path = Path.of(text);
    return text.equals(DirectoryRule.ROOT)
        || (!path.isAbsolute()
            && path.normalize().toString().equals(text)
            && !text.startsWith(".."));
  }

  private List<HostRule> hosts(@Nullable Value written) {
    String path = PATH + ".hosts";
    List<HostRule> rules = new ArrayList<>();
    for (Mapping entry : entries(path, written, List.of("hosts", "namespaces"))) {
      List<NamePattern> hosts = patterns(path, entry, "hosts");
      List<NamePattern> namespaces = patterns(path, entry, "namespaces");
      if (hosts.isEmpty() || namespaces.isEmpty()) {
        problems.at(path, entry.position(), "incomplete (expected: hosts, and their namespaces)");
      } else {
        int stars = hosts.stream().mapToInt(NamePattern::stars).min().orElse(0);
        checkGroups(path, entry, namespaces, stars);
        rules.add(new HostRule(hosts, namespaces));
      }
    }
    return rules;
  }

  private void checkGroups(String path, Mapping entry, List<NamePattern> patterns, int stars) {
    for (NamePattern pattern : patterns) {
      if (pattern.highestGroup() > stars) {
        problems.at(
            path + ".namespaces",
            entry.keyPosition("namespaces"),
            "'" + pattern + "' (expected: a * for each number in braces)");
      }
    }
  }

  private ExtensionRules extensions(@Nullable Value written) {
    String path = PATH + ".extensions";
    Mapping mapping =
        written == null
            ? null
            : mapping(
                path, written, List.of("code", "deniedTypes", "namespaces", "sources", "types"));
    if (mapping == null) {
      return ExtensionRules.SAFE;
    }
    Set<Capability> allowed = EnumSet.noneOf(Capability.class);
    addKinds(path, mapping, "code", AuthorOptions.CODE, allowed);
    addKinds(path, mapping, "sources", AuthorOptions.SOURCES, allowed);
    return new ExtensionRules(
        patterns(path, mapping, "namespaces"),
        allowed,
        patterns(path, mapping, "types"),
        patterns(path, mapping, "deniedTypes"));
  }

  private void addKinds(
      String path, Mapping mapping, String field, Set<Capability> choices, Set<Capability> into) {
    for (NamePattern word : patterns(path, mapping, field)) {
      try {
        into.add(AuthorOptions.kind(word.text(), choices));
      } catch (IllegalArgumentException e) {
        problems.at(path + "." + field, mapping.keyPosition(field), String.valueOf(e.getMessage()));
      }
    }
  }

  private HeaderRules headers(@Nullable Value written) {
    String path = PATH + ".headers";
    Mapping mapping = written == null ? null : mapping(path, written, List.of("allowed", "denied"));
    if (mapping == null) {
      return HeaderRules.SAFE;
    }
    List<NamePattern> denied = new ArrayList<>(HeaderRules.SAFE.denied());
    for (NamePattern allowed : lowerCase(patterns(path, mapping, "allowed"))) {
      if (!denied.remove(allowed)) {
        problems.at(
            path + ".allowed",
            mapping.keyPosition("allowed"),
            "'" + allowed + "' (expected: a header that is denied by default)");
      }
    }
    denied.addAll(lowerCase(patterns(path, mapping, "denied")));
    return new HeaderRules(denied);
  }

  private static List<NamePattern> lowerCase(List<NamePattern> patterns) {
    return patterns.stream()
        .map(pattern -> new NamePattern(pattern.text().toLowerCase(Locale.ROOT)))
        .toList();
  }

  private @Nullable Mapping mapping(String path, Value value, List<String> fields) {
    if (!(value instanceof Mapping mapping)) {
      problems.at(
          path, value.position(), "not a mapping (expected: " + String.join(", ", fields) + ")");
      return null;
    }
    for (String name : mapping.fields().keySet()) {
      if (!fields.contains(name)) {
        problems.at(
            path + "." + name,
            mapping.keyPosition(name),
            "unknown option (expected: one of " + String.join(", ", fields) + ")");
      }
    }
    return mapping;
  }

  private List<Mapping> entries(String path, @Nullable Value value, List<String> fields) {
    List<Mapping> entries = new ArrayList<>();
    if (value == null) {
      return entries;
    }
    if (!(value instanceof Sequence sequence) || sequence.elements().isEmpty()) {
      problems.at(path, value.position(), "not a list (expected: at least one entry)");
      return entries;
    }
    for (int i = 0; i < sequence.elements().size(); i++) {
      Mapping entry = mapping(path + "[" + i + "]", sequence.elements().get(i), fields);
      if (entry != null) {
        entries.add(entry);
      }
    }
    return entries;
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
