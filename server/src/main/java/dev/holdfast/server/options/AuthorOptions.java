// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.authors.Capability;
import dev.holdfast.controlplane.authors.ExtensionRules;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about authors; null is what it does not say.
 *
 * @param policy all rules, with defaults
 * @param code which code ExtensionPolicies may run, in the place of what the rules say
 */
public record AuthorOptions(@Nullable AuthorPolicy policy, @Nullable Set<Capability> code) {
  /** What of a configuration is code. */
  static final Set<Capability> CODE =
      EnumSet.of(Capability.LUA, Capability.WASM, Capability.NATIVE);

  /** Where the data of a configuration may come from. */
  static final Set<Capability> SOURCES =
      EnumSet.of(Capability.FILE, Capability.ENVIRONMENT, Capability.REMOTE);

  private static final AuthorOptions NONE = new AuthorOptions(null, null);

  /** Says nothing. */
  public static AuthorOptions none() {
    return NONE;
  }

  AuthorOptions orElse(AuthorOptions other) {
    return new AuthorOptions(
        policy == null ? other.policy : policy, code == null ? other.code : code);
  }

  /** The rules, with defaults for what nobody says. */
  AuthorPolicy complete() {
    AuthorPolicy said = policy == null ? AuthorPolicy.SAFE : policy;
    if (code == null) {
      return said;
    }
    ExtensionRules rules = said.extensions();
    Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
    capabilities.addAll(rules.capabilities());
    capabilities.removeAll(CODE);
    capabilities.addAll(code);
    return new AuthorPolicy(
        said.directories(),
        said.hosts(),
        new ExtensionRules(rules.namespaces(), capabilities, rules.types(), rules.deniedTypes()),
        said.headers());
  }

  /**
   * The sorts of code between commas.
   *
   * @throws IllegalArgumentException if one is none
   */
  public static Set<Capability> code(String text) {
    Set<Capability> kinds = EnumSet.noneOf(Capability.class);
    for (String word : text.split(",", -1)) {
      if (!word.equals("none")) {
        kinds.add(kind(word.strip(), CODE));
      }
    }
    return kinds;
  }

  /**
   * @throws IllegalArgumentException if it is none of the choices
   */
  static Capability kind(String word, Set<Capability> choices) {
    for (Capability kind : choices) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("'" + word + "' (expected: " + words(choices) + ")");
  }

  private static String words(Set<Capability> choices) {
    StringBuilder words = new StringBuilder();
    int left = choices.size();
    for (Capability kind : choices) {
      left--;
      words
          .append(words.length() == 0 ? "" : left == 0 ? " or " : ", ")
          .append(kind.name().toLowerCase(Locale.ROOT));
    }
    return words.toString();
  }
}
