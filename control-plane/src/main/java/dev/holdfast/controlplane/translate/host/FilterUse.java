// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.check.PolicyFilter;
import dev.holdfast.controlplane.translate.proto.listener.HttpFilters;
import dev.holdfast.controlplane.translate.proto.route.Authorizations;
import dev.holdfast.controlplane.translate.proto.route.GlobalRateLimits;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import java.util.Comparator;
import java.util.List;

/**
 * The use of a policy's filter in a listener. The filter is disabled except where the policy
 * enables it. Ordered by policy, then as in the policy.
 *
 * @param index of the filter in the policy
 * @param name {@code namespace/policy/filter/type}
 */
public record FilterUse(ObjectKey policy, int index, String name, String typeUrl)
    implements Comparable<FilterUse> {
  private static final String FILTERS = "envoy.extensions.filters.http.";

  /** The types of filters that can refuse a request. */
  private static final List<String> GUARDS =
      List.of(
          "api_key_auth.v3.ApiKeyAuth",
          "basic_auth.v3.BasicAuth",
          "csrf.v3.CsrfPolicy",
          "dynamic_modules.v3.DynamicModuleFilter",
          "ext_authz.v3.ExtAuthz",
          "ext_proc.v3.ExternalProcessor",
          "jwt_authn.v3.JwtAuthentication",
          "local_ratelimit.v3.LocalRateLimit",
          "lua.v3.Lua",
          "oauth2.v3.OAuth2",
          "ratelimit.v3.RateLimit",
          "rbac.v3.RBAC",
          "wasm.v3.Wasm");

  private static final Comparator<FilterUse> ORDER =
      Comparator.comparing(FilterUse::policy)
          .thenComparingInt(FilterUse::index)
          .thenComparing(FilterUse::name)
          .thenComparing(FilterUse::typeUrl);

  /*
   * The type is a part of the name. Envoy keeps one subscription per name, and a listener that
   * drains keeps the types that it allowed, so Envoy refuses another type under the same name, also
   * long after the listener was replaced. A filter of another type is another filter.
   */

  /** The use of the filter at an index of a policy. */
  static FilterUse of(ObjectKey policy, int index, PolicyFilter filter) {
    String typeUrl = filter.config().getTypeUrl();
    String name = prefix(policy, filter.name()) + shortType(typeUrl);
    return new FilterUse(policy, index, name, typeUrl);
  }

  /** The filter that has a service decide about the requests of a root. */
  static FilterUse authorization(ObjectKey root) {
    return new FilterUse(
        root,
        0,
        // Names of policies' filters have more parts.
        "authorization/" + root.namespace() + "/" + root.name(),
        Authorizations.TYPE_URL);
  }

  /** The filter that has a service decide about the requests of all hosts without one. */
  static FilterUse authorizationForAll(ObjectKey extension) {
    return new FilterUse(
        extension,
        0,
        "authorization-for-all/" + extension.namespace() + "/" + extension.name(),
        Authorizations.TYPE_URL);
  }

  /** The filter that has a service count requests. */
  static FilterUse rateLimit(ObjectKey extension) {
    return new FilterUse(
        extension,
        0,
        "ratelimit/" + extension.namespace() + "/" + extension.name(),
        GlobalRateLimits.TYPE_URL);
  }

  private static String prefix(ObjectKey policy, String filter) {
    return policy.namespace() + "/" + policy.name() + "/" + filter + "/";
  }

  /**
   * The names of the same filter with other types that can refuse a request. A connection keeps the
   * listener that it was opened on, and so a filter of a type that the policy had then. Routes
   * enable it under these names, too: otherwise such a connection would pass neither the old filter
   * nor the new one.
   */
  List<String> otherNames(String filter) {
    String prefix = prefix(policy, filter);
    return GUARDS.stream().map(prefix::concat).filter(other -> !other.equals(name)).toList();
  }

  /** The message's name without the package that all filters of Envoy's API share. */
  private static String shortType(String typeUrl) {
    String type = typeUrl.substring(typeUrl.lastIndexOf('/') + 1);
    return type.startsWith(FILTERS) ? type.substring(FILTERS.length()) : type;
  }

  public ResourceId id() {
    return new ResourceId(ResourceType.EXTENSION, name);
  }

  public HttpFilter filter(ConfigSource ads) {
    return HttpFilters.discovered(name, typeUrl, ads);
  }

  /** A digest of the policy's contribution to a listener. */
  public String version() {
    return Digests.of(List.of(name, typeUrl));
  }

  @Override
  public int compareTo(FilterUse other) {
    return ORDER.compare(this, other);
  }
}
