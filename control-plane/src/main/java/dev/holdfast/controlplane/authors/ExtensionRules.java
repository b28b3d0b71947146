// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import dev.holdfast.base.NamePattern;
import dev.holdfast.envoy.api.Reach;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What ExtensionPolicies may contain.
 *
 * @param namespaces where there may be any; empty for everywhere
 * @param capabilities what their configurations may do
 * @param types the messages that they may consist of; empty for all
 * @param deniedTypes the messages that they may not consist of, whatever else is allowed
 */
public record ExtensionRules(
    List<NamePattern> namespaces,
    Set<Capability> capabilities,
    List<NamePattern> types,
    List<NamePattern> deniedTypes) {
  /** Everything, everywhere. */
  public static final ExtensionRules ALL =
      new ExtensionRules(List.of(), EnumSet.allOf(Capability.class), List.of(), List.of());

  /** Everywhere, but nothing that reaches beyond the requests of the target. */
  public static final ExtensionRules SAFE =
      new ExtensionRules(List.of(), EnumSet.noneOf(Capability.class), List.of(), List.of());

  public ExtensionRules {
    namespaces = List.copyOf(namespaces);
    capabilities =
        Collections.unmodifiableSet(
            capabilities.isEmpty() ? Set.of() : EnumSet.copyOf(capabilities));
    types = List.copyOf(types);
    deniedTypes = List.copyOf(deniedTypes);
  }

  /** Why there may be none in a namespace; null if there may. */
  @Nullable String namespaceProblem(String namespace) {
    return namespaces.isEmpty() || isOne(namespaces, namespace)
        ? null
        : namespace
            + ", where the server does not allow ExtensionPolicies (expected: one of "
            + list(namespaces)
            + ")";
  }

  /** Why a configuration may not reach something; null if it may. */
  @Nullable String problem(Reach found) {
    return switch (found.kind()) {
      case TYPE -> typeProblem(found.what());
      case LUA -> allowed(found, "Lua code", "authors.extensions.code: lua");
      case WASM -> allowed(found, "a Wasm module", "authors.extensions.code: wasm");
      case NATIVE -> allowed(found, "a native library", "authors.extensions.code: native");
      case FILE -> allowed(found, "a file of the proxy", "authors.extensions.sources: file");
      case ENVIRONMENT ->
          allowed(
              found,
              "the environment or the credentials of the proxy",
              "authors.extensions.sources: environment");
      case REMOTE ->
          allowed(found, "a place outside of the clusters", "authors.extensions.sources: remote");
      case UNKNOWN ->
          isUnlimited()
              ? null
              : found.what()
                  + ", which the server cannot look into (expected: types that it knows)";
      case HEADER -> null;
    };
  }

  private boolean isUnlimited() {
    return capabilities.containsAll(ALL.capabilities) && types.isEmpty() && deniedTypes.isEmpty();
  }

  private @Nullable String typeProblem(String type) {
    if (isOne(deniedTypes, type)) {
      return type + ", which the server does not allow (expected: another type)";
    }
    return types.isEmpty() || isOne(types, type)
        ? null
        : type + ", which the server does not allow (expected: one of " + list(types) + ")";
  }

  private @Nullable String allowed(Reach found, String what, String option) {
    Capability needed = Capability.of(found);
    return needed == null || capabilities.contains(needed)
        ? null
        : what
            + " ("
            + found.what().substring(found.what().lastIndexOf('.') + 1)
            + "), which the server does not allow (expected: a configuration without it, or the"
            + " operator allows it with "
            + option
            + ")";
  }

  private static boolean isOne(List<NamePattern> patterns, String name) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(name, List.of()));
  }

  private static String list(List<NamePattern> patterns) {
    return patterns.stream().map(NamePattern::text).collect(Collectors.joining(", "));
  }
}
