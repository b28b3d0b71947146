// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyAdmin;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import java.util.ArrayList;
import java.util.List;

/**
 * A control plane, an Envoy and backends that the tests of one class share. Every test has a host
 * of its own, and so does not see what the others do.
 */
final class Stage implements AutoCloseable {
  private static final String LISTENER = "ingress_http";

  /** What Envoy and the control plane speak. */
  enum Protocol {
    DELTA,
    SOTW
  }

  /** Behind the service {@code one}. */
  final Backend one = Backend.start("one");

  /** Behind the service {@code two}. */
  final Backend two = Backend.start("two");

  final Plane plane;
  final EnvoyProcess envoy;
  private final List<Backend> more = new ArrayList<>();
  private int sites;

  private Stage(Protocol protocol) {
    plane =
        Plane.start(
            "services.yaml",
            Yaml.service("one", one.port()) + "---\n" + Yaml.service("two", two.port()));
    try {
      envoy =
          EnvoyProcess.start(
              protocol == Protocol.DELTA
                  ? EnvoyBootstrap.delta(plane.xdsPort())
                  : EnvoyBootstrap.sotw(plane.xdsPort()));
    } catch (RuntimeException
        | Error e) { // among them: there is no Envoy, and the tests are skipped
      plane.close();
      one.close();
      two.close();
      throw e;
    }
  }

  static Stage start(Protocol protocol) {
    return new Stage(protocol);
  }

  /** One more backend, behind a service of its name. */
  Backend backend(String name) {
    Backend backend = Backend.start(name);
    more.add(backend);
    service(name, backend.port());
    return backend;
  }

  /** A service with these endpoints. */
  void service(String name, int... ports) {
    plane.write("service-" + name + ".yaml", Yaml.service(name, ports));
  }

  /** Serves routes on a host of their own. */
  Site routes(String routes) {
    return root("", "routes:\n" + routes);
  }

  /** Serves a root on a host of its own. */
  Site root(String virtualHost, String spec) {
    return root("site-" + ++sites + ".example.com", virtualHost, spec);
  }

  /**
   * Serves a root, and returns when Envoy runs it.
   *
   * @param virtualHost more fields of the virtual host, which may be none
   * @param spec more fields of the spec
   */
  Site root(String fqdn, String virtualHost, String spec) {
    String name = write(fqdn, virtualHost, spec);
    plane.awaitProgrammed("HTTPProxy/default/" + name, 1);
    return site(fqdn.replace("*", "any"));
  }

  /** Writes a root, which need not be valid, and tells its name. */
  String write(String fqdn, String virtualHost, String spec) {
    String name = fqdn.replace("*", "wildcard");
    plane.write(name + ".yaml", Yaml.root(name, '"' + fqdn + '"', virtualHost.indent(2) + spec));
    return name;
  }

  /** Writes an HTTPProxy that is no root. */
  void child(String namespace, String name, String spec) {
    plane.write(
        namespace + "-" + name + ".yaml",
        """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: %s, namespace: %s}
        spec:
        %s"""
            .formatted(name, namespace, spec.indent(2)));
  }

  /** The host as clients of Envoy see it. */
  Site site(String host) {
    return new Site(envoy.http(LISTENER), host);
  }

  EnvoyAdmin admin() {
    return envoy.admin();
  }

  @Override
  public void close() {
    envoy.close();
    plane.close();
    one.close();
    two.close();
    more.forEach(Backend::close);
  }
}
