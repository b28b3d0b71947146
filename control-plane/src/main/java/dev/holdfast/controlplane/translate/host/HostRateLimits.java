// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.httpproxy.RateLimitPolicy;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.RateLimitService;
import dev.holdfast.controlplane.translate.proto.route.GlobalRateLimits;

/**
 * The limits that the operator's service applies to a host and its routes. All hosts share one
 * filter, which does nothing where it is not enabled.
 */
final class HostRateLimits {
  private final FactReader reader;
  private final HostPlan.Builder plan;

  HostRateLimits(FactReader reader, HostPlan.Builder plan) {
    this.reader = reader;
    this.plan = plan;
  }

  /**
   * The host with the limit for all hosts, if it has none of its own. If the service cannot be
   * asked, only hosts with a limit of their own are not served.
   */
  static VirtualHost withDefault(VirtualHost host, FactReader reader) {
    RateLimitService service = reader.settings().rateLimit();
    return service == null
            || service.defaultLimit() == null
            || host.rateLimits().global() != null
            || References.rateLimitProblem(reader) != null
        ? host
        : host.limitedBy(service.defaultLimit());
  }

  /** Whether requests that need the service cannot be let through, because it cannot be asked. */
  boolean isMissing(RateLimitPolicy policy) {
    return policy.asksService() && References.rateLimitProblem(reader) != null;
  }

  /**
   * The configuration of the filter for a virtual host or route, next to that of policies.
   *
   * @param origin the virtual host or route
   */
  FilterOverrides with(FilterOverrides policies, RateLimitPolicy policy, FieldOrigin origin) {
    RateLimitService service = reader.settings().rateLimit();
    if (policy.global() == null || service == null) {
      return policies;
    }
    ExtensionService extension = reader.object(service.extension(), ExtensionService.class);
    PlannedCluster cluster = extension == null ? null : ExtensionClusters.plan(extension, reader);
    if (cluster == null) {
      return policies;
    }
    FieldOrigin field =
        new FieldOrigin(
            origin.object(), origin.generation(), origin.field() + ".rateLimitPolicy.global");
    plan.require(cluster, field);
    FilterUse filter = FilterUse.rateLimit(service.extension());
    plan.require(filter);
    return policies.with(
        filter.name(), FilterOverrides.Part.required(field, GlobalRateLimits.perRoute(policy)));
  }
}
