// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks for errors that keep a root from being served at all: a host that an older root claims
 * too, or unusable TLS settings. All other errors concern single routes, and the other routes are
 * served.
 */
public final class RootCheck {
  private static final Comparator<IndexedObject> AGE =
      Comparator.comparing((IndexedObject indexed) -> indexed.object().created())
          .thenComparing(indexed -> indexed.object().key());

  private final FactReader reader;
  private final ObjectKey key;
  private final List<ObjectProblem> problems = new ArrayList<>();

  private RootCheck(FactReader reader, ObjectKey key) {
    this.reader = reader;
    this.key = key;
  }

  /** The errors; empty if the root can be served. */
  public static List<ObjectProblem> check(HttpProxy root, FactReader reader) {
    RootCheck check = new RootCheck(reader, root.key());
    VirtualHost host = root.virtualHost();
    if (host != null) {
      check.host(host.fqdn());
      if (host.tls() != null) {
        check.tls(host.tls());
      }
      if (host.rateLimits().asksService()) {
        check.rateLimit(References.rateLimitProblem(reader));
      }
      if (root.tcpProxy() == null) {
        check.authorization(host);
      }
    }
    return check.problems;
  }

  /** Of several roots that claim a host the oldest serves it. */
  private void host(String fqdn) {
    IndexedObject own = reader.indexed(key);
    List<IndexedObject> older = new ArrayList<>();
    reader
        .claims(fqdn)
        .forEach(
            (other, claim) -> {
              IndexedObject indexed =
                  claim == IndexedObject.Claim.ROOT && !other.equals(key)
                      ? reader.indexed(other)
                      : null;
              if (indexed != null && own != null && AGE.compare(indexed, own) < 0) {
                older.add(indexed);
              }
            });
    older.stream()
        .min(AGE)
        .ifPresent(
            first ->
                problems.add(
                    ObjectProblem.conflict(
                        "spec.virtualhost.fqdn",
                        fqdn
                            + " is also used by "
                            + first.object().key()
                            + ", which keeps it (expected: one proxy per host)")));
  }

  private void tls(Tls tls) {
    if (tls.secretName() != null) {
      secret("spec.virtualhost.tls.secretName", tls.secretName(), References.Use.SERVER);
    }
    Tls.ClientValidation validation = tls.clientValidation();
    if (validation != null && validation.caSecret() != null) {
      secret(
          "spec.virtualhost.tls.clientValidation.caSecret",
          validation.caSecret(),
          References.Use.AUTHORITY);
    }
    if (validation != null && validation.crlSecret() != null) {
      secret(
          "spec.virtualhost.tls.clientValidation.crlSecret",
          validation.crlSecret(),
          References.Use.REVOCATIONS);
    }
  }

  private void rateLimit(@Nullable String problem) {
    if (problem != null) {
      problems.add(ObjectProblem.error("spec.virtualhost.rateLimitPolicy.global", problem));
    }
  }

  /** A host is not served without the service that decides about its requests. */
  private void authorization(VirtualHost host) {
    Authorization own = host.authorization();
    Authorization effective = References.authorization(host, reader);
    if (effective == null && own != null && !own.policy().disabled()) {
      problems.add(
          ObjectProblem.error(
              "spec.virtualhost.authorization",
              "no service (expected: extensionRef, or traffic.authorization in the configuration"
                  + " file of the server)"));
    }
    String problem =
        effective == null
            ? null
            : References.extensionProblem(reader, References.extension(effective, key.namespace()));
    if (problem != null) {
      boolean ofHost = own != null && own.hasService();
      problems.add(
          ObjectProblem.error(
              ofHost ? "spec.virtualhost.authorization.extensionRef" : "spec.virtualhost",
              ofHost ? problem : "the server's authorization for all hosts: " + problem));
    }
  }

  private void secret(String path, String reference, References.Use use) {
    ObjectKey secret = References.secret(reference, key.namespace());
    String problem = References.problem(reader, secret, key.namespace(), use);
    if (problem != null) {
      problems.add(ObjectProblem.error(path, problem));
    }
  }
}
