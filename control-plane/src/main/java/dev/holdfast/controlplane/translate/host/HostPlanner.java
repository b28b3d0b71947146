// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.assemble.Fragment;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.check.RootCheck;
import dev.holdfast.controlplane.translate.index.DerivationCache;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Plans hosts: decides which objects serve a host. A root HTTPProxy takes precedence over
 * ingresses, so that a host can be moved from one kind to the other. Two roots for one host
 * conflict, and neither is served.
 */
public final class HostPlanner {
  private final HttpOptions options;
  private final int mostRoutes;
  private final boolean vhds;
  private final DerivationCache<String, HostPlan> cache = new DerivationCache<>();

  /**
   * @param mostRoutes how many routes a host may have
   * @param vhds whether a host without TLS is a resource of its own, too
   */
  public HostPlanner(HttpOptions options, int mostRoutes, boolean vhds) {
    this.options = options;
    this.mostRoutes = mostRoutes;
    this.vhds = vhds;
  }

  /** The cache of earlier plans. */
  public DerivationCache<String, HostPlan> cache() {
    return cache;
  }

  /** The plan of a host; null if no object claims it. */
  public @Nullable HostPlan plan(String host, FactReader reader) {
    PersistentMap<ObjectKey, IndexedObject.Claim> claims = reader.claims(host);
    if (claims.isEmpty()) {
      return null;
    }
    HostPlan.Builder plan = new HostPlan.Builder();
    if (!planRoot(host, reader, plan, claimants(claims, IndexedObject.Claim.ROOT))) {
      for (ObjectKey key : claimants(claims, IndexedObject.Claim.UNREADABLE)) {
        AbsentResources.unreadable(plan, host, reader.indexed(key));
      }
      IngressHost.plan(
          host, claimants(claims, IndexedObject.Claim.RULE), reader, options, mostRoutes, plan);
    }
    if (vhds) {
      plan.addPlainHost(host);
    }
    return plan.build();
  }

  /**
   * The filter chain that hosts with the fallback certificate share.
   *
   * @param first one of these hosts
   * @param filters the filters of policies for all of them
   */
  public Fragment fallbackChain(
      ObjectKey certificate, FieldOrigin first, SortedSet<FilterUse> filters) {
    return FallbackChain.of(certificate, first, filters, options);
  }

  private static List<ObjectKey> claimants(
      PersistentMap<ObjectKey, IndexedObject.Claim> claims, IndexedObject.Claim kind) {
    List<ObjectKey> keys = new ArrayList<>();
    claims.forEach(
        (key, claim) -> {
          if (claim == kind) {
            keys.add(key);
          }
        });
    return keys;
  }

  /** Plans the host from its root; false if no root can be served. */
  private boolean planRoot(
      String host, FactReader reader, HostPlan.Builder plan, List<ObjectKey> roots) {
    for (ObjectKey key : roots) {
      IndexedObject indexed = reader.indexed(key);
      if (indexed == null || !(indexed.typed() instanceof HttpProxy proxy)) {
        continue;
      }
      List<ObjectProblem> errors = RootCheck.check(proxy, reader);
      if (errors.isEmpty()) {
        ProxyHost.plan(indexed, reader, options, mostRoutes, plan);
        return true;
      }
      AbsentResources.root(plan, host, key, AbsentResources.first(errors));
      AbsentResources.certificate(
          reader,
          plan,
          key.namespace(),
          proxy.virtualHost() == null ? null : proxy.virtualHost().tls());
    }
    return false;
  }
}
