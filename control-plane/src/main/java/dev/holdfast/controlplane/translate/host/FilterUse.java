// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
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
 * @param name {@code namespace/policy/filter}
 */
public record FilterUse(ObjectKey policy, int index, String name, String typeUrl)
    implements Comparable<FilterUse> {
  private static final Comparator<FilterUse> ORDER =
      Comparator.comparing(FilterUse::policy)
          .thenComparingInt(FilterUse::index)
          .thenComparing(FilterUse::name)
          .thenComparing(FilterUse::typeUrl);

  static String nameOf(ObjectKey policy, String filter) {
    return policy.namespace() + "/" + policy.name() + "/" + filter;
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
