// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Changes that Envoy dies of, or hangs on: two Envoys are lost to them at most, the others do not
 * notice, and the author is told.
 */
class DeadlyChangeTest {
  private static final String POLICY = "ExtensionPolicy/default/deadly";

  /** What to write in place of a Lua script that is good. */
  static String change(String what) {
    return switch (what) {
      case "exit" -> lua("os.exit(1)");
      case "hang" -> lua("while true do end");
      case "refused" -> lua("this is no Lua");
      case "template" ->
          """
          apiVersion: holdfast.dev/v1alpha1
          kind: ExtensionPolicy
          metadata: {name: deadly}
          spec:
            targetRef: {name: a}
            perRoute:
            - name: envoy.filters.http.rbac
              typedConfig:
                "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBACPerRoute
                rbac:
                  rules:
                    action: DENY
                    policies:
                      none:
                        principals: [{any: true}]
                        permissions:
                        - uriTemplate:
                            name: envoy.path.match.uri_template.uri_template_matcher
                            typedConfig:
                              "@type": type.googleapis.com/envoy.extensions.path.match.uri_template.v3.UriTemplateMatchConfig
                              pathTemplate: "/a/{b"
          """;
      default -> throw new IllegalArgumentException(what);
    };
  }

  static String lua(String script) {
    return """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: deadly}
        spec:
          targetRef: {name: a}
          perRoute:
          - name: envoy.filters.http.lua
            typedConfig:
              "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
              source_code: {inline_string: "%s"}
        """
        .formatted(script);
  }

  @ParameterizedTest
  @CsvSource({"exit, delta", "exit, sotw", "template, delta", "template, sotw", "hang, delta"})
  void itCostsTwoEnvoysAtMost(String what, String protocol) {
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
                "deadly.yaml",
                lua("function envoy_on_response(h) end"))) {
      try {
        EnvoyBootstrap bootstrap =
            protocol.equals("delta")
                ? EnvoyBootstrap.delta(plane.xdsPort())
                : EnvoyBootstrap.sotw(plane.xdsPort());
        for (String node : List.of("e1", "e2", "e3")) {
          envoys.add(new SupervisedEnvoy(bootstrap.node(node), Hosts.fqdn("b")));
        }
        plane.awaitProgrammed(POLICY, 1);
        Plane.await("all answer", () -> envoys.stream().allMatch(e -> e.answered() > 10));

        long began = System.nanoTime();
        plane.write("deadly.yaml", change(what));
        Plane.Said said =
            plane.awaitSaid(POLICY, "Programmed", what.equals("hang") ? "ProxyHung" : "ProxyDied");
        double seconds = (System.nanoTime() - began) / 1e9;
        assertThat(said.message()).contains("serving generation 1");
        // Somebody else's change reaches those that are there.
        plane.write("c.yaml", Hosts.good("c", "one"));
        plane.awaitSaid("HTTPProxy/default/c", "Valid", "Valid");
        int before = envoys.stream().mapToInt(SupervisedEnvoy::answered).sum();
        Plane.await(
            "requests go on",
            () -> envoys.stream().mapToInt(SupervisedEnvoy::answered).sum() > before + 100);
        if (!what.equals(
            "hang")) { // the control plane can know it before the one who starts another
          Plane.await("both deaths are seen", () -> deaths(envoys) >= 2);
        }
        int deaths = deaths(envoys);
        System.out.printf(
            "deadly: %s over %s: %d deaths, told after %.1f s%n", what, protocol, deaths, seconds);

        assertThat(deaths).isEqualTo(what.equals("hang") ? 0 : 2);
        assertThat(seconds)
            .isLessThan(30); // of which a hang takes 24: it is believed after two waits
        if (!what.equals("hang")) { // workers of an Envoy that hangs still answer
          plane.awaitProgrammed("HTTPProxy/default/c", 1);
          plane.down();
          plane.up();
          plane.awaitSaid(POLICY, "Programmed", "ProxyDied");
          assertThat(deaths(envoys)).isEqualTo(2);
          plane.write("deadly.yaml", lua("function envoy_on_response(h) return end"));
          plane.awaitProgrammed(POLICY, 3);
        }
        for (SupervisedEnvoy envoy : envoys) {
          assertThat(envoy.failed()).as(envoy.node()).isEmpty();
        }
      } finally {
        envoys.forEach(SupervisedEnvoy::close);
      }
    }
  }

  private static int deaths(List<SupervisedEnvoy> envoys) {
    return envoys.stream().mapToInt(SupervisedEnvoy::deaths).sum();
  }
}
