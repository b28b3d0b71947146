// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.Extension;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.Presence;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that the target of an ExtensionPolicy exists and that its per-route configuration has an
 * effect.
 */
public final class PolicyCheck {
  private PolicyCheck() {}

  public static List<ObjectProblem> check(ExtensionPolicy policy, FactReader reader) {
    List<ObjectProblem> problems = new ArrayList<>();
    target(policy, reader, problems);
    for (int i = 0; i < policy.perRoute().size(); i++) {
      Extension perRoute = policy.perRoute().get(i);
      if (!PolicyFilter.hasEffect(policy, perRoute)) {
        problems.add(
            ObjectProblem.warning(
                "spec.perRoute[" + i + "].name",
                perRoute.name()
                    + ", but there is no such filter, so this has no effect (expected: one of"
                    + " spec.httpFilters, or of cors, local_ratelimit and rbac)"));
      }
    }
    return List.copyOf(problems);
  }

  private static void target(
      ExtensionPolicy policy, FactReader reader, List<ObjectProblem> problems) {
    ObjectKey target = policy.target().proxy();
    Presence presence = reader.presence(target);
    if (presence != Presence.VALID) {
      problems.add(
          presence == Presence.ABSENT
              ? ObjectProblem.error("spec.targetRef.name", MissingObjects.absent(target))
              : ObjectProblem.warning("spec.targetRef.name", target + " is not valid"));
      return;
    }
    HttpProxy proxy = reader.object(target, HttpProxy.class);
    Integer route = policy.target().route();
    if (proxy != null && route != null && route >= proxy.routes().size()) {
      problems.add(
          ObjectProblem.error(
              "spec.targetRef.route",
              route
                  + " (expected: less than "
                  + proxy.routes().size()
                  + ", the routes of "
                  + target
                  + ")"));
    }
  }
}
