// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Include;
import dev.holdfast.controlplane.objects.httpproxy.TcpProxy;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.Presence;
import dev.holdfast.controlplane.translate.index.RateLimitService;
import dev.holdfast.controlplane.translate.index.SecretUse;
import dev.holdfast.controlplane.translate.index.ServicePorts;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Resolves references between objects, or says why one cannot be resolved. */
public final class References {
  /** What a secret is used for. */
  public enum Use {
    SERVER,
    AUTHORITY,
    REVOCATIONS
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

  /** The service that decides about the requests of a host. */
  public static ObjectKey extension(Authorization authorization, String ownNamespace) {
    return new ObjectKey(
        ExtensionService.KIND,
        authorization.namespace().isEmpty() ? ownNamespace : authorization.namespace(),
        authorization.name());
  }

  /**
   * What decides about the requests of a host: a service of its own, or that for all hosts with the
   * policy of the host; null if nothing does.
   */
  public static @Nullable Authorization authorization(VirtualHost host, FactReader reader) {
    Authorization own = host.authorization();
    Authorization forAll = reader.settings().authorization();
    if ((own != null && own.hasService()) || forAll == null) {
      return own != null && own.hasService() ? own : null;
    }
    return own == null ? forAll : forAll.with(own.policy());
  }

  /** Why an extension service cannot be asked; null if it can. */
  public static @Nullable String extensionProblem(FactReader reader, ObjectKey key) {
    ExtensionService extension = reader.object(key, ExtensionService.class);
    if (extension == null) {
      return reader.presence(key) == Presence.ABSENT
          ? MissingObjects.absent(key)
          : key + " is not valid";
    }
    List<ObjectProblem> problems = ExtensionServiceCheck.check(extension, reader);
    return problems.isEmpty() ? null : key + " is not valid";
  }

  /** Why the service that counts requests cannot be asked; null if it can. */
  public static @Nullable String rateLimitProblem(FactReader reader) {
    RateLimitService service = reader.settings().rateLimit();
    return service == null
        ? "the server has no rate limit service (expected: the option --rate-limit-service)"
        : extensionProblem(reader, service.extension());
  }

  /**
   * Why the certificate that proxies show to services cannot be used; null if it can, or none is.
   */
  public static @Nullable String clientCertificateProblem(FactReader reader) {
    ObjectKey secret = reader.settings().backendTls().clientCertificate();
    String problem =
        secret == null ? null : problem(reader, secret, secret.namespace(), Use.SERVER);
    return problem == null ? null : "the server's client certificate for TLS: " + problem;
  }

  /** Why the certificate for clients that name no host cannot be used; null if it can. */
  public static @Nullable String fallbackProblem(FactReader reader, String namespace) {
    ObjectKey secret = reader.settings().fallbackCertificate();
    return secret == null
        ? "the server has no fallback certificate (expected: the option --fallback-certificate)"
        : problem(reader, secret, namespace, Use.SERVER);
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
    if (use == Use.REVOCATIONS && !secretUse.revoking()) {
      return secret + " holds no revocation list (expected: an entry crl.pem)";
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
