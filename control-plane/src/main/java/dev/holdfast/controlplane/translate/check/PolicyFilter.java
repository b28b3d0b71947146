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
 * An HTTP filter that a policy adds.
 *
 * @param name the name in the policy
 * @param perRoute the policy's configuration of the filter for its target; null if there is none
 * @param field the field of the policy that adds the filter
 */
public record PolicyFilter(String name, Any config, @Nullable Any perRoute, String field) {
  private static final String TYPES = "type.googleapis.com/envoy.extensions.filters.http.";

  /** The filters that every listener has. */
  private static final Set<String> BUILT_IN =
      Set.of(FilterConfigs.CORS, FilterConfigs.LOCAL_RATE_LIMIT, FilterConfigs.RBAC);

  /**
   * Filters that do nothing without per-route configuration, by the type of that configuration. An
   * author who writes only the per-route configuration need not write the filter as well.
   */
  private static final Map<String, String> FILTER_BY_PER_ROUTE_TYPE =
      Map.of(
          TYPES + "lua.v3.LuaPerRoute", TYPES + "lua.v3.Lua",
          TYPES + "fault.v3.HTTPFault", TYPES + "fault.v3.HTTPFault",
          TYPES + "header_mutation.v3.HeaderMutationPerRoute",
              TYPES + "header_mutation.v3.HeaderMutation");

  /**
   * The filters of a policy: explicit ones first, then those implied by per-route configuration.
   */
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
      Extension perRoute = policy.perRoute().get(i);
      String type = FILTER_BY_PER_ROUTE_TYPE.get(perRoute.config().getTypeUrl());
      if (type != null && !hasFilter(policy, perRoute.name())) {
        filters.add(
            new PolicyFilter(
                perRoute.name(),
                Any.newBuilder().setTypeUrl(type).build(),
                perRoute.config(),
                "spec.perRoute[" + i + "]"));
      }
    }
    return filters;
  }

  private static @Nullable Any perRoute(ExtensionPolicy policy, String name) {
    return policy.perRoute().stream()
        .filter(perRoute -> perRoute.name().equals(name))
        .map(Extension::config)
        .findFirst()
        .orElse(null);
  }

  private static boolean hasFilter(ExtensionPolicy policy, String name) {
    return BUILT_IN.contains(name)
        || policy.httpFilters().stream().anyMatch(filter -> filter.name().equals(name));
  }

  /** Whether there is a filter that reads this per-route configuration. */
  static boolean hasEffect(ExtensionPolicy policy, Extension perRoute) {
    return hasFilter(policy, perRoute.name())
        || FILTER_BY_PER_ROUTE_TYPE.containsKey(perRoute.config().getTypeUrl());
  }
}
