// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.check.PolicyFilter;
import dev.holdfast.controlplane.translate.proto.listener.HttpFilters;
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
    return new FilterUse(policy, index, nameOf(policy, filter.name(), typeUrl), typeUrl);
  }

  private static String nameOf(ObjectKey policy, String filter, String typeUrl) {
    return policy.namespace() + "/" + policy.name() + "/" + filter + "/" + shortType(typeUrl);
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
