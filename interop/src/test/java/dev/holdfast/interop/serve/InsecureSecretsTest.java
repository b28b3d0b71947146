// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.server.options.XdsSecurity;
import dev.holdfast.testkit.TestCa;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Secrets on an xDS port without TLS that other machines can reach, on real Envoys. */
class InsecureSecretsTest {
  private static final XdsSecurity PLAIN = new XdsSecurity(null, List.of());
  private static final XdsSecurity INSECURE =
      new XdsSecurity(null, List.of(), /* insecureSecrets= */ true);

  private static Http https(EnvoyProcess envoy, TestCa ca) {
    return envoy.http("ingress_https").with(Tls.sni("a.example", ca));
  }

  private static boolean isListed(Plane plane) {
    return plane.items("/api/v1/problems").toString().contains("SecretsWithheld");
  }

  @Test
  void nobodyGetsThemUnlessTheOperatorSaysSo() {
    TestCa ca = TestCa.create("authority");
    try (Backend one = Backend.start("one");
        Plane plane =
            Plane.start(
                "all.yaml",
                Docs.of(
                    Yaml.service("one", one.port()),
                    Docs.tlsSecret("cert-a", ca.issue("a")),
                    Docs.secure("a", "a.example", "secretName: cert-a", "one"),
                    Yaml.root(
                        "b", "b.example", "routes: [{services: [{name: one, port: 80}]}]")))) {
      plane.down();
      plane.onAllAddresses(INSECURE).up();
      try (EnvoyProcess old =
          EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()).node("old"))) {
        plane.awaitProgrammed("HTTPProxy/default/a", 1);
        Rig.awaitSeen("200 one", https(old, ca), "a.example", "/");
        assertThat(isListed(plane)).isFalse();

        plane.down();
        plane.onAllAddresses(PLAIN).up();
        Plane.await("it is listed", () -> isListed(plane));
        try (EnvoyProcess fresh =
            EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()).node("fresh"))) {
          Rig.awaitSeen("200 one", fresh.http("ingress_http"), "b.example", "/");
          assertThat(fresh.admin().get("/config_dump?resource=dynamic_active_secrets"))
              .as("the private key is not there")
              .doesNotContain("cert-a");
          plane.write(
              "more.yaml",
              Yaml.root("c", "c.example", "routes: [{services: [{name: one, port: 80}]}]"));
          plane.awaitProgrammed("HTTPProxy/default/c", 1);
          Rig.awaitSeen("200 one", old.http("ingress_http"), "c.example", "/");
          assertThat(Rig.seen(https(old, ca), "a.example", "/"))
              .as("who has it keeps it")
              .isEqualTo("200 one");
        }
      }
    }
  }
}
