// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.ingress.Backend;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import dev.holdfast.controlplane.objects.ingress.PathRule;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.index.ServicePorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the references of an Ingress, and whether its hosts are served by other objects. */
public final class IngressCheck {
  private final FactReader reader;
  private final Ingress ingress;
  private final List<ObjectProblem> problems = new ArrayList<>();

  private IngressCheck(FactReader reader, Ingress ingress) {
    this.reader = reader;
    this.ingress = ingress;
  }

  /** All problems; none of them keeps other rules from being served. */
  public static List<ObjectProblem> check(Ingress ingress, FactReader reader) {
    IngressCheck check = new IngressCheck(reader, ingress);
    if (ingress.defaultBackend() != null) {
      check.backend("spec.defaultBackend", ingress.defaultBackend());
    }
    check.tls();
    check.rules();
    return List.copyOf(check.problems);
  }

  /** Why the backend cannot be used; null if it can. */
  public static @Nullable String problem(FactReader reader, String namespace, Backend backend) {
    ObjectKey service = References.service(namespace, backend.service());
    return backend.portNumber() == 0
        ? References.problem(reader, service, backend.portName())
        : References.problem(reader, service, backend.portNumber());
  }

  /** The secret that an entry of {@code spec.tls} refers to. */
  public static ObjectKey secret(Ingress ingress, String name) {
    String elsewhere = ingress.settings().tlsCertNamespace();
    return References.secret(name, elsewhere.isEmpty() ? ingress.key().namespace() : elsewhere);
  }

  private void backend(String path, Backend backend) {
    String namespace = ingress.key().namespace();
    String problem = problem(reader, namespace, backend);
    if (problem != null) {
      problems.add(ObjectProblem.error(path, problem));
    }
    String certificateProblem =
        speaksTls(backend) ? References.clientCertificateProblem(reader) : null;
    if (certificateProblem != null) {
      problems.add(ObjectProblem.error(path, certificateProblem));
    }
  }

  private boolean speaksTls(Backend backend) {
    ServicePorts ports =
        reader.ports(References.service(ingress.key().namespace(), backend.service()));
    Service.Port port =
        backend.portNumber() == 0
            ? ports.port(backend.portName())
            : ports.port(backend.portNumber());
    Protocol protocol = port == null ? null : ports.protocol(port);
    return protocol == Protocol.TLS || protocol == Protocol.H2;
  }

  private void tls() {
    Set<String> hosts =
        ingress.rules().stream().map(Ingress.Rule::host).collect(Collectors.toSet());
    for (int i = 0; i < ingress.tls().size(); i++) {
      Ingress.Tls tls = ingress.tls().get(i);
      String path = "spec.tls[" + i + "]";
      if (tls.secretName().isEmpty()) {
        problems.add(
            ObjectProblem.warning(
                path, "without a secret, which has no effect (expected: secretName)"));
        continue;
      }
      String problem =
          References.problem(
              reader,
              secret(ingress, tls.secretName()),
              ingress.key().namespace(),
              References.Use.SERVER);
      if (problem != null) {
        problems.add(ObjectProblem.error(path + ".secretName", problem));
      }
      if (tls.hosts().isEmpty()) {
        problems.add(
            ObjectProblem.warning(path, "without hosts, which has no effect (expected: hosts)"));
      }
      for (int j = 0; j < tls.hosts().size(); j++) {
        if (!hosts.contains(tls.hosts().get(j))) {
          problems.add(
              ObjectProblem.warning(
                  path + ".hosts[" + j + "]",
                  tls.hosts().get(j)
                      + ", for which there is no rule (expected: one of the hosts of the rules)"));
        }
      }
    }
  }

  private void rules() {
    for (int i = 0; i < ingress.rules().size(); i++) {
      Ingress.Rule rule = ingress.rules().get(i);
      String path = "spec.rules[" + i + "]";
      List<PathRule> paths = rule.paths();
      for (int j = 0; j < paths.size(); j++) {
        backend(path + ".http.paths[" + j + "].backend", paths.get(j).backend());
      }
      ObjectKey owner = servingRoot(reader, rule.host());
      if (owner != null) {
        problems.add(
            ObjectProblem.conflict(
                path + ".host",
                rule.host()
                    + " is also used by "
                    + owner
                    + ", which is served (expected: one of the two)"));
      }
    }
  }

  /**
   * The root HTTPProxy that serves a host, in which case ingresses do not; null if there is none.
   */
  public static @Nullable ObjectKey servingRoot(FactReader reader, String host) {
    List<ObjectKey> serving = new ArrayList<>();
    reader
        .claims(host)
        .forEach(
            (key, claim) -> {
              HttpProxy root =
                  claim == IndexedObject.Claim.ROOT ? reader.object(key, HttpProxy.class) : null;
              if (root != null && RootCheck.check(root, reader).isEmpty()) {
                serving.add(key);
              }
            });
    return serving.isEmpty() ? null : serving.get(0);
  }
}
