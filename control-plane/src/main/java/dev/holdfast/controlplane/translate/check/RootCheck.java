// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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
  }

  private void secret(String path, String reference, References.Use use) {
    ObjectKey secret = References.secret(reference, key.namespace());
    String problem = References.problem(reader, secret, key.namespace(), use);
    if (problem != null) {
      problems.add(ObjectProblem.error(path, problem));
    }
  }
}
