// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Checks for errors that keep a root from being served at all: a host that another root claims too,
 * or unusable TLS settings. All other errors concern single routes, and the other routes are
 * served.
 */
public final class RootCheck {
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
    }
    return check.problems;
  }

  private void host(String fqdn) {
    List<ObjectKey> others = new ArrayList<>();
    reader
        .claims(fqdn)
        .forEach(
            (other, claim) -> {
              if (claim == IndexedObject.Claim.ROOT && !other.equals(key)) {
                others.add(other);
              }
            });
    if (!others.isEmpty()) {
      String names = others.stream().map(ObjectKey::toString).collect(Collectors.joining(", "));
      problems.add(
          ObjectProblem.error(
              "spec.virtualhost.fqdn",
              fqdn + " is also that of " + names + " (expected: one proxy per host)"));
    }
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
  }

  private void secret(String path, String reference, References.Use use) {
    ObjectKey secret = References.secret(reference, key.namespace());
    String problem = References.problem(reader, secret, key.namespace(), use);
    if (problem != null) {
      problems.add(ObjectProblem.error(path, problem));
    }
  }
}
