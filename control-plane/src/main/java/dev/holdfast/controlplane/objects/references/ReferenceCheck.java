// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.references;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.DecodedObject;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Include;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What only a whole set of objects can tell: references that lead nowhere, hosts that two proxies
 * claim, includes that go in circles. A problem stands on the object whose author can mend it. An
 * object that is there but invalid has its own problems; those who refer to it have none for that.
 */
public final class ReferenceCheck {
  private final ObjectSet objects;
  private final SortedMap<ObjectKey, List<Problem>> found = new TreeMap<>();

  private ReferenceCheck(ObjectSet objects) {
    this.objects = objects;
  }

  /** The problems of each object that has any. */
  public static SortedMap<ObjectKey, List<Problem>> check(List<DecodedObject> decoded) {
    ReferenceCheck check = new ReferenceCheck(ObjectSet.of(decoded));
    check.objects.proxies().forEach(check::proxy);
    check.hosts();
    check.orphans();
    check.objects.policies().forEach(check::policy);
    return Collections.unmodifiableSortedMap(check.found);
  }

  private void report(ObjectKey key, String path, String message) {
    found
        .computeIfAbsent(key, unused -> new ArrayList<>())
        .add(new Problem(path, Problem.Kind.INVALID, message));
  }

  private void hosts() {
    SortedMap<String, List<ObjectKey>> claims = new TreeMap<>();
    for (HttpProxy proxy : objects.proxies()) {
      if (proxy.virtualHost() != null) {
        claims
            .computeIfAbsent(proxy.virtualHost().fqdn(), unused -> new ArrayList<>())
            .add(proxy.key());
      }
    }
    claims.forEach(
        (fqdn, owners) -> {
          for (ObjectKey owner : owners.size() > 1 ? owners : List.<ObjectKey>of()) {
            List<ObjectKey> others = owners.stream().filter(key -> !key.equals(owner)).toList();
            report(
                owner,
                "spec.virtualhost.fqdn",
                fqdn + " is also that of " + names(others) + " (expected: one proxy per host)");
          }
        });
  }

  private static String names(List<ObjectKey> keys) {
    return keys.stream().map(ObjectKey::toString).collect(Collectors.joining(", "));
  }

  private void orphans() {
    if (objects.hasInvalidProxies()) {
      return; // which may be those that include the others
    }
    Set<ObjectKey> included = new HashSet<>();
    objects.proxies().forEach(proxy -> included.addAll(objects.includedBy(proxy)));
    for (HttpProxy proxy : objects.proxies()) {
      if (proxy.virtualHost() == null && !included.contains(proxy.key())) {
        report(
            proxy.key(),
            "spec",
            "orphaned (expected: a virtualhost, or another proxy that includes this one)");
      }
    }
  }

  private void proxy(HttpProxy proxy) {
    ObjectKey key = proxy.key();
    VirtualHost host = proxy.virtualHost();
    if (host != null && host.tls() != null) {
      tls(key, host.tls());
    }
    for (int i = 0; i < proxy.routes().size(); i++) {
      if (proxy.routes().get(i).action() instanceof Route.Forward forward) {
        services(key, "spec.routes[" + i + "].services", forward.services());
      }
    }
    for (int i = 0; i < proxy.includes().size(); i++) {
      Include include = proxy.includes().get(i);
      include(proxy, "spec.includes[" + i + "]", include.namespace(), include.name());
    }
    if (proxy.tcpProxy() != null) {
      services(key, "spec.tcpproxy.services", proxy.tcpProxy().services());
      if (proxy.tcpProxy().include() != null) {
        include(
            proxy,
            "spec.tcpproxy.include",
            proxy.tcpProxy().include().namespace(),
            proxy.tcpProxy().include().name());
      }
    }
  }

  private void policy(ExtensionPolicy policy) {
    String missing = objects.targetProblem(policy.target());
    if (missing != null) {
      report(policy.key(), "spec.targetRef.name", missing);
    }
    String route = objects.routeProblem(policy.target());
    if (route != null) {
      report(policy.key(), "spec.targetRef.route", route);
    }
  }

  private void include(HttpProxy proxy, String path, String namespace, String name) {
    ObjectKey target = new ObjectKey(HttpProxy.KIND, namespace, name);
    if (!objects.contains(target)) {
      report(proxy.key(), path, target + " does not exist");
    } else if (objects.isRoot(target)) {
      report(proxy.key(), path, target + " has a virtualhost (expected: a proxy that has none)");
    } else if (objects.reaches(target, proxy.key())) {
      report(proxy.key(), path, target + " includes this one (expected: no circles)");
    }
  }

  private void tls(ObjectKey key, Tls tls) {
    if (tls.secretName() != null) {
      secret(key, "spec.virtualhost.tls.secretName", tls.secretName(), ObjectSet.Use.SERVER);
    }
    if (tls.clientValidation() != null && tls.clientValidation().caSecret() != null) {
      secret(
          key,
          "spec.virtualhost.tls.clientValidation.caSecret",
          tls.clientValidation().caSecret(),
          ObjectSet.Use.AUTHORITY);
    }
  }

  private void secret(ObjectKey key, String path, String reference, ObjectSet.Use use) {
    String problem = objects.secretProblem(reference, key.namespace(), use);
    if (problem != null) {
      report(key, path, problem);
    }
  }

  private void services(ObjectKey key, String path, List<RouteService> services) {
    for (int i = 0; i < services.size(); i++) {
      RouteService service = services.get(i);
      String problem = objects.serviceProblem(key.namespace(), service.name(), service.port());
      if (problem != null) {
        report(key, path + "[" + i + "]", problem);
      }
      if (service.validation() != null) {
        secret(
            key,
            path + "[" + i + "].validation.caSecret",
            service.validation().caSecret(),
            ObjectSet.Use.AUTHORITY);
      }
    }
  }
}
