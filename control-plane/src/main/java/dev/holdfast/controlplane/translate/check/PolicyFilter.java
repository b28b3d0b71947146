// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.objects.extension.Extension;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.translate.proto.route.FilterConfigs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter that a policy brings along.
 *
 * @param name as the policy calls it
 * @param perRoute what the policy says to it about its target; null if nothing
 * @param field where the policy says that there is such a filter
 */
public record PolicyFilter(String name, Any config, @Nullable Any perRoute, String field) {
  private static final String TYPES = "type.googleapis.com/envoy.extensions.filters.http.";

  /** The filters that listeners have anyway. */
  private static final Set<String> ALWAYS_THERE =
      Set.of(FilterConfigs.CORS, FilterConfigs.LOCAL_RATE_LIMIT, FilterConfigs.RBAC);

  /**
   * Filters that do nothing unless a route tells them what, by the type of what a route tells. An
   * author who only writes that need not write the filter too.
   */
  private static final Map<String, String> IDLE =
      Map.of(
          TYPES + "lua.v3.LuaPerRoute", TYPES + "lua.v3.Lua",
          TYPES + "fault.v3.HTTPFault", TYPES + "fault.v3.HTTPFault",
          TYPES + "header_mutation.v3.HeaderMutationPerRoute",
              TYPES + "header_mutation.v3.HeaderMutation");

  /** The filters of a policy, those that it writes before those that it only speaks to. */
  public static List<PolicyFilter> of(ExtensionPolicy policy) {
    List<PolicyFilter> filters = new ArrayList<>();
    for (int i = 0; i < policy.httpFilters().size(); i++) {
      Extension filter = policy.httpFilters().get(i);
      filters.add(
          new PolicyFilter(
              filter.name(),
              filter.config(),
              perRoute(policy, filter.name()),
              "spec.httpFilters[" + i + "]"));
    }
    for (int i = 0; i < policy.perRoute().size(); i++) {
      Extension said = policy.perRoute().get(i);
      String type = IDLE.get(said.config().getTypeUrl());
      if (type != null && !isThere(policy, said.name())) {
        filters.add(
            new PolicyFilter(
                said.name(),
                Any.newBuilder().setTypeUrl(type).build(),
                said.config(),
                "spec.perRoute[" + i + "]"));
      }
    }
    return filters;
  }

  private static @Nullable Any perRoute(ExtensionPolicy policy, String name) {
    return policy.perRoute().stream()
        .filter(said -> said.name().equals(name))
        .map(Extension::config)
        .findFirst()
        .orElse(null);
  }

  private static boolean isThere(ExtensionPolicy policy, String name) {
    return ALWAYS_THERE.contains(name)
        || policy.httpFilters().stream().anyMatch(filter -> filter.name().equals(name));
  }

  /** Whether there is a filter that hears what a policy says. */
  static boolean isHeard(ExtensionPolicy policy, Extension said) {
    return isThere(policy, said.name()) || IDLE.containsKey(said.config().getTypeUrl());
  }
}
