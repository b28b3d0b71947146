// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Include;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.httpproxy.TcpProxy;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.Presence;
import dev.holdfast.controlplane.translate.index.ServicePorts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What an HTTPProxy says of others, be it a root or not. */
public final class ProxyCheck {
  private static final Conditions.Path EVERYTHING =
      new Conditions.Path(Conditions.PathKind.PREFIX, "/");

  private final FactReader reader;
  private final HttpProxy proxy;
  private final List<ObjectProblem> found = new ArrayList<>();

  private ProxyCheck(FactReader reader, HttpProxy proxy) {
    this.reader = reader;
    this.proxy = proxy;
  }

  /** Everything that is wrong; none of it keeps other routes from being served. */
  public static List<ObjectProblem> check(HttpProxy proxy, FactReader reader) {
    ProxyCheck check = new ProxyCheck(reader, proxy);
    check.found.addAll(RootCheck.check(proxy, reader));
    check.passthrough();
    check.routes();
    check.includes();
    check.tcpProxy();
    return List.copyOf(check.found);
  }

  private void passthrough() {
    if (proxy.virtualHost() != null
        && proxy.virtualHost().tls() != null
        && proxy.virtualHost().tls().passthrough()
        && proxy.tcpProxy() == null) {
      found.add(
          ObjectProblem.error(
              "spec.virtualhost.tls.passthrough",
              "true without a tcpproxy (expected: spec.tcpproxy, to say where to)"));
    }
  }

  private void routes() {
    for (int i = 0; i < proxy.routes().size(); i++) {
      if (proxy.routes().get(i).action() instanceof Route.Forward forward) {
        services("spec.routes[" + i + "].services", forward.services());
      }
    }
  }

  private void services(String path, List<RouteService> services) {
    String namespace = proxy.key().namespace();
    for (int i = 0; i < services.size(); i++) {
      RouteService service = services.get(i);
      String place = path + "[" + i + "]";
      ObjectKey key = References.service(namespace, service.name());
      String problem = References.problem(reader, key, service.port());
      if (problem != null) {
        // The author of the service is told why; here it is only good to know.
        boolean theirs = reader.ports(key).presence() == Presence.INVALID;
        found.add(
            theirs ? ObjectProblem.warning(place, problem) : ObjectProblem.error(place, problem));
      }
      if (service.validation() != null) {
        ObjectKey secret = References.secret(service.validation().caSecret(), namespace);
        String refusal = References.problem(reader, secret, namespace, References.Use.AUTHORITY);
        Service.Port port = reader.ports(key).port(service.port());
        if (port != null && !speaksTls(service, reader.ports(key), port)) {
          found.add(
              ObjectProblem.warning(
                  place + ".validation",
                  "of no effect without TLS (expected: protocol tls or h2)"));
        }
        if (refusal != null) {
          found.add(ObjectProblem.error(place + ".validation.caSecret", refusal));
        }
      }
    }
  }

  private static boolean speaksTls(RouteService service, ServicePorts ports, Service.Port port) {
    Protocol protocol = service.protocol() == null ? ports.protocol(port) : service.protocol();
    return protocol == Protocol.TLS || protocol == Protocol.H2;
  }

  private void includes() {
    List<Conditions> seen = new ArrayList<>();
    for (int i = 0; i < proxy.includes().size(); i++) {
      Include include = proxy.includes().get(i);
      String path = "spec.includes[" + i + "]";
      include(path, References.target(include));
      int same = seen.indexOf(include.conditions());
      if (same >= 0 && !isEverything(include.conditions())) {
        found.add(
            ObjectProblem.error(
                path + ".conditions",
                "the same as those of spec.includes[" + same + "] (expected: others)"));
      }
      seen.add(include.conditions());
    }
  }

  private static boolean isEverything(Conditions conditions) {
    return conditions.path().equals(EVERYTHING)
        && conditions.headers().isEmpty()
        && conditions.queries().isEmpty();
  }

  private void tcpProxy() {
    TcpProxy tcpProxy = proxy.tcpProxy();
    if (tcpProxy == null) {
      return;
    }
    services("spec.tcpproxy.services", tcpProxy.services());
    if (tcpProxy.include() != null) {
      ObjectKey target = References.target(tcpProxy.include());
      include("spec.tcpproxy.include", target);
      HttpProxy other = reader.object(target, HttpProxy.class);
      if (other != null && other.tcpProxy() == null) {
        found.add(
            ObjectProblem.error(
                "spec.tcpproxy.include", target + " has no tcpproxy (expected: one that has)"));
      }
    }
  }

  private void include(String path, ObjectKey target) {
    String problem = References.includeProblem(reader, target);
    if (problem != null) {
      boolean theirs = reader.presence(target) == Presence.INVALID;
      found.add(theirs ? ObjectProblem.warning(path, problem) : ObjectProblem.error(path, problem));
    } else if (reaches(target)) {
      found.add(ObjectProblem.error(path, target + " includes this one (expected: no circles)"));
    }
  }

  /** Whether this one is part of another. No root is: including one is an error by itself. */
  private boolean reaches(ObjectKey from) {
    if (proxy.virtualHost() != null) {
      return false;
    }
    Set<ObjectKey> seen = new HashSet<>();
    Deque<ObjectKey> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      ObjectKey key = next.remove();
      if (key.equals(proxy.key())) {
        return true;
      }
      HttpProxy other = seen.add(key) ? reader.object(key, HttpProxy.class) : null;
      if (other != null) {
        other.includes().forEach(include -> next.add(References.target(include)));
        if (other.tcpProxy() != null && other.tcpProxy().include() != null) {
          next.add(References.target(other.tcpProxy().include()));
        }
      }
    }
    return false;
  }
}
