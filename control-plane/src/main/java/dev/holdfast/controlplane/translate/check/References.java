// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Include;
import dev.holdfast.controlplane.objects.httpproxy.TcpProxy;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.Presence;
import dev.holdfast.controlplane.translate.index.SecretUse;
import dev.holdfast.controlplane.translate.index.ServicePorts;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Resolves references between objects, or says why one cannot be resolved. */
public final class References {
  /** What a secret is used for. */
  public enum Use {
    SERVER,
    AUTHORITY
  }

  private References() {}

  public static ObjectKey service(String namespace, String name) {
    return new ObjectKey(Service.KIND, namespace, name);
  }

  /** The secret that {@code name} or {@code namespace/name} refers to. */
  public static ObjectKey secret(String reference, String ownNamespace) {
    int slash = reference.indexOf('/');
    String namespace = slash < 0 ? ownNamespace : reference.substring(0, slash);
    return new ObjectKey(Secret.KIND, namespace, reference.substring(slash + 1));
  }

  public static ObjectKey target(Include include) {
    return new ObjectKey(HttpProxy.KIND, include.namespace(), include.name());
  }

  public static ObjectKey target(TcpProxy.Target target) {
    return new ObjectKey(HttpProxy.KIND, target.namespace(), target.name());
  }

  /** Why the port of a service cannot be used; null if it can. */
  public static @Nullable String problem(FactReader reader, ObjectKey service, int port) {
    ServicePorts ports = reader.ports(service);
    return ports.port(port) == null ? problem(ports, service, "TCP port " + port) : null;
  }

  /** Why the port of a service cannot be used; null if it can. */
  public static @Nullable String problem(FactReader reader, ObjectKey service, String port) {
    ServicePorts ports = reader.ports(service);
    return ports.port(port) == null
        ? problem(ports, service, "TCP port named \"" + port + "\"")
        : null;
  }

  private static String problem(ServicePorts ports, ObjectKey service, String port) {
    return switch (ports.presence()) {
      case ABSENT -> MissingObjects.absent(service);
      case INVALID -> service + " is not valid";
      case VALID -> service + " has no " + port + " (expected: " + list(ports) + ")";
    };
  }

  /** The ports that a service has, as an author may name them. */
  private static String list(ServicePorts ports) {
    String listed =
        ports.ports().stream()
            .filter(port -> port.transport() == Service.Transport.TCP)
            .map(port -> port.port() + (port.name().isEmpty() ? "" : " \"" + port.name() + "\""))
            .collect(Collectors.joining(", "));
    return listed.isEmpty() ? "a service with a TCP port" : listed;
  }

  /** Why a secret cannot be used by objects of a namespace; null if it can. */
  public static @Nullable String problem(
      FactReader reader, ObjectKey secret, String namespace, Use use) {
    if (!reader.mayUse(namespace, secret)) {
      return secret
          + " is in another namespace (expected: a TLSCertificateDelegation there for namespace "
          + namespace
          + ")";
    }
    SecretUse secretUse = reader.secretUse(secret);
    if (secretUse.presence() != Presence.VALID) {
      return secretUse.presence() == Presence.ABSENT
          ? MissingObjects.absent(secret)
          : secret + " is not valid";
    }
    if (use == Use.SERVER && !secretUse.server()) {
      return secret + " holds no server certificate (expected: type kubernetes.io/tls)";
    }
    if (use == Use.AUTHORITY && !secretUse.authority()) {
      return secret + " holds no authority (expected: an entry ca.crt)";
    }
    return null;
  }

  /** Why a proxy cannot be included; null if it can. Circles are checked elsewhere. */
  public static @Nullable String includeProblem(FactReader reader, ObjectKey target) {
    return switch (reader.presence(target)) {
      case ABSENT -> MissingObjects.absent(target);
      case INVALID -> target + " is not valid";
      case VALID -> {
        HttpProxy proxy = reader.object(target, HttpProxy.class);
        yield proxy != null && proxy.virtualHost() != null
            ? target + " has a virtualhost (expected: a proxy that has none)"
            : null;
      }
    };
  }
}
