// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.check.RootCheck;
import dev.holdfast.controlplane.translate.index.DerivationCache;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides who answers for a host. A root HTTPProxy goes before ingresses, so that a host can be
 * moved from the one to the other; two roots are in each other's way, and neither is served.
 */
public final class HostPlanner {
  private final HttpOptions options;
  private final DerivationCache<String, HostPlan> memo = new DerivationCache<>();

  public HostPlanner(HttpOptions options) {
    this.options = options;
  }

  /** What became of hosts before. */
  public DerivationCache<String, HostPlan> memo() {
    return memo;
  }

  /** What becomes of a host; null if nobody wants to answer for it. */
  public @Nullable HostPlan plan(String host, FactReader reader) {
    PersistentMap<ObjectKey, IndexedObject.Claim> claims = reader.claims(host);
    if (claims.isEmpty()) {
      return null;
    }
    HostPlan.Builder plan = new HostPlan.Builder();
    if (!root(host, reader, plan, claimants(claims, IndexedObject.Claim.ROOT))) {
      for (ObjectKey key : claimants(claims, IndexedObject.Claim.UNREADABLE)) {
        AbsentResources.unreadable(plan, host, reader.input(key));
      }
      IngressHost.plan(host, claimants(claims, IndexedObject.Claim.RULE), reader, options, plan);
    }
    return plan.build();
  }

  private static List<ObjectKey> claimants(
      PersistentMap<ObjectKey, IndexedObject.Claim> claims, IndexedObject.Claim how) {
    List<ObjectKey> keys = new ArrayList<>();
    claims.forEach(
        (key, claim) -> {
          if (claim == how) {
            keys.add(key);
          }
        });
    return keys;
  }

  /** Whether a root answers for the host. */
  private boolean root(
      String host, FactReader reader, HostPlan.Builder plan, List<ObjectKey> roots) {
    for (ObjectKey key : roots) {
      IndexedObject input = reader.input(key);
      if (input == null || !(input.typed() instanceof HttpProxy proxy)) {
        continue;
      }
      List<ObjectProblem> errors = RootCheck.check(proxy, reader);
      if (errors.isEmpty()) {
        ProxyHost.plan(input, reader, options, plan);
        return true;
      }
      AbsentResources.root(plan, host, key, AbsentResources.first(errors));
      AbsentResources.certificates(
          reader,
          plan,
          key.namespace(),
          proxy.virtualHost() == null ? null : proxy.virtualHost().tls());
    }
    return false;
  }
}
