// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.references;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.DecodedObject;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.read.TypedObject;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.secret.TlsCertificateDelegation;
import dev.holdfast.controlplane.objects.service.Service;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Objects by name, and the questions that references ask of them. */
final class ObjectSet {
  private final Set<ObjectKey> names = new HashSet<>();
  private final SortedMap<ObjectKey, TypedObject> valid = new TreeMap<>();

  /** What a secret is for. */
  enum Use {
    SERVER,
    AUTHORITY
  }

  static ObjectSet of(List<DecodedObject> decoded) {
    ObjectSet set = new ObjectSet();
    for (DecodedObject object : decoded) {
      set.names.add(object.key());
      if (object instanceof DecodedObject.Valid valid) {
        set.valid.put(object.key(), valid.object());
      }
    }
    return set;
  }

  boolean contains(ObjectKey key) {
    return names.contains(key);
  }

  List<HttpProxy> proxies() {
    return all(HttpProxy.class);
  }

  List<ExtensionPolicy> policies() {
    return all(ExtensionPolicy.class);
  }

  /** Why the target of a policy is none; null if it is one. */
  @Nullable String targetProblem(ExtensionPolicy.Target target) {
    return contains(target.proxy()) ? null : target.proxy() + " does not exist";
  }

  /** Why the target of a policy has no such route; null if it has, or cannot be asked. */
  @Nullable String routeProblem(ExtensionPolicy.Target target) {
    if (target.route() == null || !(valid.get(target.proxy()) instanceof HttpProxy proxy)) {
      return null;
    }
    int routes = proxy.routes().size();
    return target.route() < routes
        ? null
        : target.route()
            + " (expected: less than "
            + routes
            + ", the routes of "
            + proxy.key()
            + ")";
  }

  private <T> List<T> all(Class<T> type) {
    return valid.values().stream().filter(type::isInstance).map(type::cast).toList();
  }

  boolean hasInvalidProxies() {
    return names.stream()
        .anyMatch(key -> key.kind().equals(HttpProxy.KIND) && !valid.containsKey(key));
  }

  boolean isRoot(ObjectKey key) {
    return valid.get(key) instanceof HttpProxy proxy && proxy.virtualHost() != null;
  }

  List<ObjectKey> includedBy(HttpProxy proxy) {
    List<ObjectKey> targets = new ArrayList<>();
    proxy
        .includes()
        .forEach(to -> targets.add(new ObjectKey(HttpProxy.KIND, to.namespace(), to.name())));
    if (proxy.tcpProxy() != null && proxy.tcpProxy().include() != null) {
      targets.add(
          new ObjectKey(
              HttpProxy.KIND,
              proxy.tcpProxy().include().namespace(),
              proxy.tcpProxy().include().name()));
    }
    return targets;
  }

  /** Whether one proxy includes another, be it by way of others; each includes itself. */
  boolean reaches(ObjectKey from, ObjectKey to) {
    Set<ObjectKey> seen = new HashSet<>();
    Deque<ObjectKey> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      ObjectKey key = next.remove();
      if (key.equals(to)) {
        return true;
      }
      if (seen.add(key) && valid.get(key) instanceof HttpProxy proxy) {
        next.addAll(includedBy(proxy));
      }
    }
    return false;
  }

  /** Why the port of a service cannot be used; null if it can. */
  @Nullable String serviceProblem(String namespace, String name, int port) {
    ObjectKey key = new ObjectKey(Service.KIND, namespace, name);
    if (!names.contains(key)) {
      return key + " does not exist";
    }
    return valid.get(key) instanceof Service service && !service.hasTcpPort(port)
        ? key + " has no TCP port " + port
        : null;
  }

  /** Why a secret cannot be used; null if it can. */
  @Nullable String secretProblem(String reference, String ownNamespace, Use use) {
    int slash = reference.indexOf('/');
    String namespace = slash < 0 ? ownNamespace : reference.substring(0, slash);
    ObjectKey key = new ObjectKey(Secret.KIND, namespace, reference.substring(slash + 1));
    if (!namespace.equals(ownNamespace) && !isDelegated(key, ownNamespace)) {
      return key
          + " is in another namespace (expected: a TLSCertificateDelegation there for namespace "
          + ownNamespace
          + ")";
    }
    if (!names.contains(key)) {
      return key + " does not exist";
    }
    if (valid.get(key) instanceof Secret secret) {
      if (use == Use.SERVER && secret.tls() == null) {
        return key + " holds no server certificate (expected: type kubernetes.io/tls)";
      }
      if (use == Use.AUTHORITY && secret.ca() == null) {
        return key + " holds no authority (expected: an entry ca.crt)";
      }
    }
    return null;
  }

  private boolean isDelegated(ObjectKey secret, String namespace) {
    return all(TlsCertificateDelegation.class).stream()
        .filter(delegation -> delegation.key().namespace().equals(secret.namespace()))
        .flatMap(delegation -> delegation.delegations().stream())
        .anyMatch(delegation -> delegation.permits(secret.name(), namespace));
  }
}
