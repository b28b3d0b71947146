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
import dev.holdfast.controlplane.translate.index.RateLimitService;
import dev.holdfast.controlplane.translate.index.ServicePorts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks the references of an HTTPProxy, whether it is a root or not. */
public final class ProxyCheck {
  private static final Conditions.Path EVERYTHING =
      new Conditions.Path(Conditions.PathKind.PREFIX, "/");

  private final FactReader reader;
  private final HttpProxy proxy;
  private final List<ObjectProblem> problems = new ArrayList<>();

  private ProxyCheck(FactReader reader, HttpProxy proxy) {
    this.reader = reader;
    this.proxy = proxy;
  }

  /** All problems; none but those of {@link RootCheck} keeps other routes from being served. */
  public static List<ObjectProblem> check(HttpProxy proxy, FactReader reader) {
    ProxyCheck check = new ProxyCheck(reader, proxy);
    check.problems.addAll(RootCheck.check(proxy, reader));
    check.passthrough();
    check.fallback();
    check.defaultLimit();
    check.routes();
    check.includes();
    check.tcpProxy();
    return List.copyOf(check.problems);
  }

  private void passthrough() {
    if (proxy.virtualHost() != null
        && proxy.virtualHost().tls() != null
        && proxy.virtualHost().tls().passthrough()
        && proxy.tcpProxy() == null) {
      problems.add(
          ObjectProblem.error(
              "spec.virtualhost.tls.passthrough",
              "true without a tcpproxy (expected: spec.tcpproxy as well)"));
    }
  }

  /** The host is served with its own certificate; only clients that name no host are not. */
  private void fallback() {
    if (proxy.virtualHost() != null
        && proxy.virtualHost().tls() != null
        && proxy.virtualHost().tls().fallback()) {
      String problem = References.fallbackProblem(reader, proxy.key().namespace());
      if (problem != null) {
        problems.add(
            ObjectProblem.error("spec.virtualhost.tls.enableFallbackCertificate", problem));
      }
    }
  }

  /** The host is served, but not limited. */
  private void defaultLimit() {
    RateLimitService service = reader.settings().rateLimit();
    if (proxy.virtualHost() != null
        && proxy.virtualHost().rateLimits().global() == null
        && service != null
        && service.defaultLimit() != null) {
      String problem = References.rateLimitProblem(reader);
      if (problem != null) {
        problems.add(
            ObjectProblem.error("spec.virtualhost", "not limited as the server says: " + problem));
      }
    }
  }

  private void routes() {
    for (int i = 0; i < proxy.routes().size(); i++) {
      String limitProblem =
          proxy.routes().get(i).rateLimits().asksService()
              ? References.rateLimitProblem(reader)
              : null;
      if (limitProblem != null) {
        problems.add(
            ObjectProblem.error("spec.routes[" + i + "].rateLimitPolicy.global", limitProblem));
      }
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
        problems.add(ObjectProblem.error(place, problem));
      }
      Service.Port own = reader.ports(key).port(service.port());
      if (own != null && speaksTls(service, reader.ports(key), own)) {
        String certificateProblem = References.clientCertificateProblem(reader);
        if (certificateProblem != null) {
          problems.add(ObjectProblem.error(place, certificateProblem));
        }
      }
      if (service.validation() != null) {
        ObjectKey secret = References.secret(service.validation().caSecret(), namespace);
        String secretProblem =
            References.problem(reader, secret, namespace, References.Use.AUTHORITY);
        if (own != null && !speaksTls(service, reader.ports(key), own)) {
          problems.add(
              ObjectProblem.warning(
                  place + ".validation", "no effect without TLS (expected: protocol tls or h2)"));
        }
        if (secretProblem != null) {
          problems.add(ObjectProblem.error(place + ".validation.caSecret", secretProblem));
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
        problems.add(
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
        problems.add(
            ObjectProblem.error(
                "spec.tcpproxy.include", target + " has no tcpproxy (expected: one that has)"));
      }
    }
  }

  private void include(String path, ObjectKey target) {
    String problem = References.includeProblem(reader, target);
    if (problem != null) {
      problems.add(ObjectProblem.error(path, problem));
      return;
    }
    List<ObjectKey> cycle = proxy.virtualHost() == null ? pathTo(target) : List.of();
    if (!cycle.isEmpty()) {
      String shown =
          Stream.concat(Stream.of(proxy.key()), cycle.stream())
              .map(this::shortName)
              .collect(Collectors.joining(" -> "));
      problems.add(
          ObjectProblem.error(path, "an include cycle: " + shown + " (expected: no cycle)"));
    }
  }

  /** The name of a proxy, with its namespace where that is another one. */
  private String shortName(ObjectKey key) {
    return key.namespace().equals(proxy.key().namespace())
        ? key.name()
        : key.namespace() + "/" + key.name();
  }

  /**
   * The shortest way from another proxy through its includes to this one; empty if there is none. A
   * root is never included: that is an error by itself.
   */
  private List<ObjectKey> pathTo(ObjectKey from) {
    Map<ObjectKey, ObjectKey> includedBy = new HashMap<>();
    Set<ObjectKey> seen = new HashSet<>(Set.of(from));
    Deque<ObjectKey> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      ObjectKey key = next.remove();
      if (key.equals(proxy.key())) {
        return path(key, includedBy);
      }
      for (ObjectKey target : includesOf(key)) {
        if (seen.add(target)) {
          includedBy.put(target, key);
          next.add(target);
        }
      }
    }
    return List.of();
  }

  private static List<ObjectKey> path(ObjectKey to, Map<ObjectKey, ObjectKey> includedBy) {
    Deque<ObjectKey> path = new ArrayDeque<>();
    for (ObjectKey key = to; key != null; key = includedBy.get(key)) {
      path.addFirst(key);
    }
    return List.copyOf(path);
  }

  private List<ObjectKey> includesOf(ObjectKey key) {
    HttpProxy other = reader.object(key, HttpProxy.class);
    List<ObjectKey> targets = new ArrayList<>();
    if (other != null) {
      other.includes().forEach(include -> targets.add(References.target(include)));
      if (other.tcpProxy() != null && other.tcpProxy().include() != null) {
        targets.add(References.target(other.tcpProxy().include()));
      }
    }
    return targets;
  }
}
