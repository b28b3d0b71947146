// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBinary;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A scout that the server runs itself, with requests through it: what proxies accept and fail with
 * the first request is held before anybody who is served has it.
 */
class LocalScoutsTest {
  private static final String POLICY = "ExtensionPolicy/default/deadly";
  private static final String DENY =
      "function envoy_on_request(h) h:respond({[':status']='503'}, 'no') end";

  private static final String WAITING =
      """
          apiVersion: holdfast.dev/v1alpha1
          kind: ExtensionPolicy
          metadata: {name: waiting}
          spec:
            targetRef: {name: a}
            httpFilters:
            - name: credentials
              typedConfig:
                "@type": type.googleapis.com/envoy.extensions.filters.http.credential_injector.v3.CredentialInjector
                credential:
                  name: envoy.http.injected_credentials.generic
                  typed_config:
                    "@type": type.googleapis.com/envoy.extensions.http.injected_credentials.generic.v3.Generic
                    credential: {name: nobody-has-it, sds_config: {ads: {}, initial_fetch_timeout: 0s}}
          """;

  private static String policy(String what) {
    return switch (what) {
      case "authz" -> // nobody to ask: Envoy aborts
          """
          apiVersion: holdfast.dev/v1alpha1
          kind: ExtensionPolicy
          metadata: {name: deadly}
          spec:
            targetRef: {name: a}
            httpFilters:
            - name: authz
              typedConfig:
                "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz
          """;
      case "exit", "hang" -> DeadlyChangeTest.change(what); // when they get it
      case "error" -> DeadlyChangeTest.lua(DENY);
      case "endless" -> DeadlyChangeTest.lua("function envoy_on_request(h) while true do end end");
      default -> throw new IllegalArgumentException(what);
    };
  }

  @ParameterizedTest
  @CsvSource({
    "exit, ProxyDied, (ended with exit code 1)",
    "hang, ProxyHung, holdfast-scout-1",
    "authz, ProxyDied, holdfast-scout-1 went away",
    "error, ProbeFailed, 'GET http://a.example.com/: the proxy itself answers 503 \"no\"'",
    "endless, ProbeFailed, 'GET http://a.example.com/: no answer within'"
  })
  void whatEndsAProxyOrFailsWithTheFirstRequestIsHeld(String what, String reason, String words) {
    List<SupervisedEnvoy> envoys = new ArrayList<>();
    try (Backend one = Backend.start("one");
        Plane plane =
            Plane.start(
                "services.yaml",
                Yaml.service("one", one.port()),
                "a.yaml",
                Hosts.good("a", "one"),
                "b.yaml",
                Hosts.good("b", "one"),
                "c.yaml",
                Hosts.good("c", "one"))) {
      try {
        EnvoyBootstrap bootstrap = EnvoyBootstrap.delta(plane.xdsPort());
        plane.down();
        plane.withScout(EnvoyBinary.find(), bootstrap).up();
        for (String node : List.of("e1", "e2")) {
          envoys.add(new SupervisedEnvoy(bootstrap.node(node), Hosts.fqdn("b")));
        }
        plane.awaitProgrammed("HTTPProxy/default/a", 1);
        Plane.await("all answer", () -> envoys.stream().allMatch(e -> e.answered() > 10));
        Plane.await("the scout is asked", () -> ScoutsTest.idle(plane).equals("\"\""));

        long began = System.nanoTime();
        plane.write("deadly.yaml", policy(what));
        plane.write("d.yaml", Hosts.good("d", "one"));
        CompletableFuture<Double> served = SupervisedEnvoy.served(envoys, Hosts.fqdn("d"), began);
        Plane.Said said = plane.awaitSaid(POLICY, "Programmed", reason);
        double told = (System.nanoTime() - began) / 1e9;
        double others = served.join();
        int before = envoys.stream().mapToInt(SupervisedEnvoy::answered).sum();
        Plane.await(
            "requests go on",
            () -> envoys.stream().mapToInt(SupervisedEnvoy::answered).sum() > before + 100);
        System.out.printf(
            "scout of the server: %s told after %.1f s, another edit answered after %.1f s: %s%n",
            what, told, others, said.message());

        assertThat(said.message()).contains(words);
        assertThat(told).isLessThan(10);
        for (SupervisedEnvoy envoy : envoys) {
          assertThat(envoy.failed()).as(envoy.node()).isEmpty();
          assertThat(envoy.deaths()).as(envoy.node()).isZero();
        }
        assertThat(one.requests())
            .as("requests of the prober that got to a backend")
            .noneMatch(request -> request.toString().contains("holdfast-probe"));
      } finally {
        envoys.forEach(SupervisedEnvoy::close);
      }
    }
  }

  /** Nobody but its clients has a certificate that a host takes, and its routes are asked still. */
  @Test
  void hostsThatAskForClientCertificatesAreAskedToo() {
    String host =
        Docs.secure(
            "m", Hosts.fqdn("m"), "secretName: cert, clientValidation: {caSecret: clients}", "one");
    try (Backend one = Backend.start("one");
        Plane plane =
            Plane.start(
                "services.yaml",
                Yaml.service("one", one.port()),
                "secrets.yaml",
                Hosts.certificate() + "---\n" + Docs.caSecret("clients", Scene.CA),
                "b.yaml",
                Hosts.good("b", "one"),
                "m.yaml",
                host)) {
      EnvoyBootstrap bootstrap = EnvoyBootstrap.delta(plane.xdsPort());
      plane.down();
      plane.withScout(EnvoyBinary.find(), bootstrap).up();
      try (SupervisedEnvoy envoy = new SupervisedEnvoy(bootstrap.node("e1"), Hosts.fqdn("b"))) {
        plane.awaitProgrammed("HTTPProxy/default/m", 1);
        Plane.await("it answers", () -> envoy.answered() > 10);
        Plane.await("the scout is asked", () -> ScoutsTest.idle(plane).equals("\"\""));

        plane.write("script.yaml", Hosts.script("script", "m", DENY));
        Plane.Said said =
            plane.awaitSaid("ExtensionPolicy/default/script", "Programmed", "ProbeFailed");

        assertThat(said.message())
            .contains("GET https://m.example.com/: the proxy itself answers 503 \"no\"");
        assertThat(plane.text("/api/v1/objects/HTTPProxy/default/m")).contains("\"notProbed\":[]");
        assertThat(envoy.failed()).isEmpty();
      }
      assertThat(one.requests()).noneMatch(each -> each.toString().contains("holdfast-probe"));
    }
  }

  /**
   * A filter that waits for a secret which nobody has, and would never let a listener become active
   * that it is a part of. Proxies get filters by themselves, so that listeners do not wait for
   * them.
   */
  @Test
  void whatAFilterWaitsForKeepsNoListenerFromBeingUsed() {
    List<SupervisedEnvoy> envoys = new ArrayList<>();
    try (Backend one = Backend.start("one");
        Plane plane =
            Plane.start(
                "services.yaml",
                Yaml.service("one", one.port()),
                "a.yaml",
                Hosts.good("a", "one"),
                "b.yaml",
                Hosts.good("b", "one"))) {
      try {
        EnvoyBootstrap bootstrap = EnvoyBootstrap.delta(plane.xdsPort());
        plane.down();
        plane.withScout(EnvoyBinary.find(), bootstrap).up();
        for (String node : List.of("e1", "e2")) {
          envoys.add(new SupervisedEnvoy(bootstrap.node(node), Hosts.fqdn("b")));
        }
        plane.awaitProgrammed("HTTPProxy/default/a", 1);
        Plane.await("all answer", () -> envoys.stream().allMatch(e -> e.answered() > 10));
        Plane.await("the scout is asked", () -> ScoutsTest.idle(plane).equals("\"\""));

        plane.write("waiting.yaml", WAITING);
        plane.awaitProgrammed("ExtensionPolicy/default/waiting", 1);
        plane.write("c.yaml", Hosts.good("c", "one"));
        plane.awaitProgrammed("HTTPProxy/default/c", 1);
        envoys.get(0).upgrade(); // which gets all of it at once, and answers
        for (SupervisedEnvoy envoy : envoys) {
          assertThat(envoy.failed()).as(envoy.node()).isEmpty();
          assertThat(envoy.deaths()).as(envoy.node()).isZero();
        }
      } finally {
        envoys.forEach(SupervisedEnvoy::close);
      }
    }
  }
}
