// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import static dev.holdfast.controlplane.simulation.Values.list;
import static dev.holdfast.controlplane.simulation.Values.map;
import static dev.holdfast.controlplane.simulation.Values.text;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.testkit.TestCa;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What authors may write, by kind. A flaw is somewhere in it where only a proxy notices: in a
 * header of a route, in the name that a cluster's certificate must have, in a number, in a script,
 * in a certificate.
 */
final class Sketches {
  static final String MARK = "x-mark";
  private static final String LUA = "type.googleapis.com/envoy.extensions.filters.http.lua.v3.";
  private static final String NAMESPACE = "default";

  private final Chance chance;
  private final Names names;
  private int count;

  Sketches(Chance chance, Names names) {
    this.chance = chance;
    this.names = names;
  }

  static ObjectKey key(String kind, String name) {
    return new ObjectKey(kind, NAMESPACE, name);
  }

  private String mark(ObjectKey key) {
    return key.name() + "/" + ++count;
  }

  Sketch of(ObjectKey key, Flaw flaw) {
    return switch (key.kind()) {
      case "HTTPProxy" -> Names.isRoot(key) ? root(key, Names.host(key), flaw) : child(key, flaw);
      case "Service" -> service(key, flaw);
      case "EndpointSlice" -> slice(key);
      case "Secret" -> secret(key, flaw);
      case "ExtensionPolicy" -> policy(key, flaw);
      default -> throw new AssertionError(key);
    };
  }

  private Sketch root(ObjectKey key, String host, Flaw flaw) {
    String mark = mark(key);
    Set<ObjectKey> refs = new TreeSet<>();
    Mapping virtualHost = map("fqdn", host);
    if (Names.hasTls(host)) {
      ObjectKey secret = names.secretOf(host);
      refs.add(secret);
      virtualHost = map("fqdn", host, "tls", map("secretName", secret.name()));
    }
    List<Mapping> includes = new ArrayList<>();
    if (!names.children().isEmpty() && chance.percent(30)) {
      ObjectKey child = chance.one(names.children());
      refs.add(child);
      includes.add(
          map("name", child.name(), "conditions", list(map("prefix", "/" + child.name()))));
    }
    Mapping spec =
        map(
            "virtualhost",
            virtualHost,
            "includes",
            list(includes),
            "routes",
            list(route(mark, flaw, refs)));
    return proxy(key, spec, mark, flaw, refs);
  }

  private Sketch child(ObjectKey key, Flaw flaw) {
    String mark = mark(key);
    Set<ObjectKey> refs = new TreeSet<>();
    return proxy(key, map("routes", list(route(mark, flaw, refs))), mark, flaw, refs);
  }

  private static Sketch proxy(
      ObjectKey key, Mapping spec, String mark, Flaw flaw, Set<ObjectKey> refs) {
    return new Sketch(
        key, "projectcontour.io/v1", Map.of(), Map.of(), map("spec", spec), mark, flaw, refs);
  }

  /** A flaw is in what routes become or in what clusters do. */
  private Mapping route(String mark, Flaw flaw, Set<ObjectKey> refs) {
    ObjectKey service = chance.one(names.services());
    refs.add(service);
    boolean ofCluster = flaw != Flaw.NONE && !names.secrets().isEmpty() && chance.percent(30);
    Mapping to = map("name", service.name(), "port", 80L);
    if (ofCluster) {
      ObjectKey authority = chance.one(names.secrets());
      refs.add(authority);
      to =
          map(
              "name",
              service.name(),
              "port",
              80L,
              "protocol",
              "tls",
              "validation",
              map("caSecret", authority.name(), "subjectName", flaw.text()));
    }
    String value = ofCluster ? mark : mark + " " + flaw.text();
    return map(
        "services",
        list(to),
        "responseHeadersPolicy",
        map("set", list(map("name", MARK, "value", value))));
  }

  private Sketch service(ObjectKey key, Flaw flaw) {
    String mark = mark(key);
    int limit = flaw == Flaw.NONE ? 1000 + count : flaw.number();
    return new Sketch(
        key,
        "v1",
        Map.of(),
        Map.of("projectcontour.io/max-connections", Integer.toString(limit)),
        map("spec", map("ports", list(map("port", 80L)), "selector", map("mark", mark))),
        mark,
        flaw,
        Set.of(Names.sliceOf(key)));
  }

  private Sketch slice(ObjectKey key) {
    List<Mapping> endpoints = new ArrayList<>();
    for (int i = chance.between(1, 3); i > 0; i--) {
      endpoints.add(map("addresses", list(text("10.0." + i + "." + chance.between(1, 9)))));
    }
    return new Sketch(
        key,
        "discovery.k8s.io/v1",
        Map.of("kubernetes.io/service-name", Names.serviceOf(key).name()),
        Map.of(),
        map("addressType", "IPv4", "ports", list(map("port", 8080L)), "endpoints", list(endpoints)),
        mark(key),
        Flaw.NONE,
        Set.of());
  }

  private Sketch secret(ObjectKey key, Flaw flaw) {
    String mark = mark(key);
    TestCa.Identity identity = Certificates.get(flaw, count);
    return new Sketch(
        key,
        "v1",
        Map.of(),
        Map.of(),
        map(
            "type",
            "kubernetes.io/tls",
            "stringData",
            map(
                "tls.crt",
                identity.certificatePem(),
                "tls.key",
                identity.privateKeyPem(),
                "ca.crt",
                Certificates.authority())),
        mark,
        flaw,
        Set.of());
  }

  private Sketch policy(ObjectKey key, Flaw flaw) {
    String mark = mark(key);
    ObjectKey target = Names.targetOf(key);
    Mapping script = map("inlineString", "-- " + mark + " " + flaw.text());
    boolean filter = chance.percent(30);
    Mapping extension =
        filter
            ? map(
                "name",
                "script-" + key.name(),
                "typedConfig",
                map("@type", LUA + "Lua", "defaultSourceCode", script))
            : map(
                "name",
                "envoy.filters.http.lua",
                "typedConfig",
                map("@type", LUA + "LuaPerRoute", "sourceCode", script));
    return new Sketch(
        key,
        "holdfast.dev/v1alpha1",
        Map.of(),
        Map.of(),
        map(
            "spec",
            map(
                "targetRef",
                map("name", target.name()),
                filter ? "httpFilters" : "perRoute",
                list(extension))),
        mark,
        flaw,
        Set.of(target));
  }
}
