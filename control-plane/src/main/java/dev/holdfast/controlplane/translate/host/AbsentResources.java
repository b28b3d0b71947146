// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records why resources that clients may ask for do not exist. */
final class AbsentResources {
  private AbsentResources() {}

  /** A route refers to a service that cannot be used. */
  static void service(
      FactReader reader, HostPlan.Builder plan, String namespace, RouteService service) {
    ObjectKey key = References.service(namespace, service.name());
    String problem = References.problem(reader, key, service.port());
    if (problem != null) {
      service(plan, key, service.port(), problem);
    }
    if (service.validation() != null) {
      ObjectKey secret = References.secret(service.validation().caSecret(), namespace);
      String secretProblem =
          References.problem(reader, secret, namespace, References.Use.AUTHORITY);
      if (secretProblem != null) {
        plan.addAbsenceReason(ResourceNames.authority(secret), secretProblem);
      }
    }
  }

  /** A port of a service cannot be used. */
  static void service(HostPlan.Builder plan, ObjectKey service, int port, String problem) {
    plan.addAbsenceReason(
        ResourceNames.cluster(ResourceNames.plainCluster(service, port)), problem);
    plan.addAbsenceReason(
        ResourceNames.endpoints(service, new Service.Port("", port, Service.Transport.TCP)),
        problem);
  }

  /** A root cannot be served. */
  static void root(HostPlan.Builder plan, String host, ObjectKey root, @Nullable String problem) {
    String reason = root + " is not valid" + (problem == null ? "" : ": " + problem);
    plan.addAbsenceReason(ResourceNames.tlsRoutes(host), reason);
    if (!host.startsWith("*")) {
      plan.addAbsenceReason(ResourceNames.apiListener(host), reason);
      plan.addAbsenceReason(ResourceNames.apiRoutes(host), reason);
    }
  }

  /** A root cannot be served because it cannot be decoded. */
  static void unreadable(HostPlan.Builder plan, String host, @Nullable IndexedObject indexed) {
    if (indexed != null) {
      List<LocatedProblem> problems = indexed.decoded().problems();
      String first = problems.isEmpty() ? null : problems.get(0).problem().toString();
      root(plan, host, indexed.object().key(), first);
    }
  }

  /** Records it if the certificate of a root cannot be used. */
  static void certificate(
      FactReader reader, HostPlan.Builder plan, String namespace, @Nullable Tls tls) {
    if (tls == null || tls.secretName() == null) {
      return;
    }
    ObjectKey secret = References.secret(tls.secretName(), namespace);
    String problem = References.problem(reader, secret, namespace, References.Use.SERVER);
    if (problem != null) {
      plan.addAbsenceReason(ResourceNames.serverCertificate(secret), problem);
    }
  }

  static @Nullable String first(List<ObjectProblem> problems) {
    return problems.isEmpty() ? null : problems.get(0).problem().toString();
  }
}
