// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.SystemTime;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyProcess;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An Envoy that starts as the command says takes the regular expressions that people write. */
class LongExpressionTest {
  /** Compiled, it is far beyond the 100 instructions that Envoy allows by default. */
  private static final String SEGMENT = "/[a-z0-9]{1,36}(-[a-z0-9]{1,36})?".repeat(6);

  private static String bootstrap(int xdsPort) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printer = new PrintStream(out, true, StandardCharsets.UTF_8);
    Shell shell =
        new Shell(
            InputStream.nullInputStream(),
            printer,
            printer,
            Map.of(),
            SystemTime.instance(),
            Shell.Terminal.none());
    int code =
        Main.run(
            shell,
            "bootstrap",
            "envoy",
            "--admin-port",
            "0",
            "--xds-address",
            "127.0.0.1:" + xdsPort);
    assertThat(code).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aLongRegularExpressionRoutes() {
    try (Backend one = Backend.start("one");
        Plane plane =
            Plane.start(
                "base.yaml",
                Docs.of(
                    Yaml.service("one", one.port()),
                    Yaml.root(
                        "long",
                        "long.example",
                        """
                        routes:
                        - conditions: [{regex: "%s"}]
                          services: [{name: one, port: 80}]
                        """
                            .formatted(SEGMENT))));
        EnvoyProcess envoy = EnvoyProcess.start(bootstrap(plane.xdsPort()))) {
      plane.awaitProgrammed("HTTPProxy/default/long", 1);

      Rig.awaitSeen("200 one", envoy.http("ingress_http"), "long.example", "/a/b/c-d/e/f/g0");
      assertThat(Rig.seen(envoy.http("ingress_http"), "long.example", "/a/b")).isEqualTo("404");
    }
  }
}
