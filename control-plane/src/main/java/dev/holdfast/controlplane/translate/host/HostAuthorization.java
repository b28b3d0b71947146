// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.proto.route.Authorizations;
import org.jspecify.annotations.Nullable;

/**
 * The authorization of a host: a filter of its own, which its virtual host enables and single
 * routes may disable. Like the filters of policies, it is discovered by name: nothing of it stands
 * in a listener, and routes are sent to a proxy after it.
 */
final class HostAuthorization {
  private final FilterUse filter;
  private final FieldOrigin origin;
  private final Authorization.Policy policy;

  private HostAuthorization(FilterUse filter, FieldOrigin origin, Authorization.Policy policy) {
    this.filter = filter;
    this.origin = origin;
    this.policy = policy;
  }

  /**
   * Adds what the host needs to its plan; null if the host has no authorization. A host whose
   * service cannot be used is not planned at all.
   *
   * @param host as written
   * @param authorization what counts for the host
   */
  static @Nullable HostAuthorization of(
      VirtualHost host,
      @Nullable Authorization authorization,
      FieldOrigin root,
      FactReader reader,
      HostPlan.Builder plan) {
    if (authorization == null) {
      return null;
    }
    FieldOrigin origin =
        new FieldOrigin(root.object(), root.generation(), root.field() + ".authorization");
    ObjectKey key = References.extension(authorization, root.object().namespace());
    ExtensionService extension = reader.object(key, ExtensionService.class);
    PlannedCluster cluster = extension == null ? null : ExtensionClusters.plan(extension, reader);
    if (cluster != null) {
      plan.require(cluster, origin);
    }
    boolean own = host.authorization() != null && host.authorization().hasService();
    FilterUse filter =
        own ? FilterUse.authorization(root.object()) : FilterUse.authorizationForAll(key);
    plan.require(filter);
    return new HostAuthorization(filter, origin, authorization.policy());
  }

  /** The configuration of the filter for the virtual host, next to that of policies. */
  FilterOverrides ofHost(FilterOverrides policies) {
    return with(policies, policy);
  }

  /** The configuration of the filter for a route, next to that of policies. */
  FilterOverrides ofRoute(FilterOverrides policies, Route route) {
    return route.authPolicy() == null
        ? policies
        : with(policies, policy.overriddenBy(route.authPolicy()));
  }

  private FilterOverrides with(FilterOverrides policies, Authorization.Policy effective) {
    return policies.with(
        filter.name(), FilterOverrides.Part.required(origin, Authorizations.perRoute(effective)));
  }
}
