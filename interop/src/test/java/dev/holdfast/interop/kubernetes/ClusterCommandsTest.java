// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.testkit.ReservedPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands for a control plane in a cluster ({@code --server kubernetes:...}), with the real
 * kubectl on a real API server. There are no nodes here, so a script plays {@code port-forward} and
 * {@code exec}, which end at a pod.
 */
class ClusterCommandsTest {
  private static final String PLACE = "kubernetes:default/holdfast";
  private static final String TOKEN = "0123456789abcdef-token";

  @TempDir private Path directory;

  @Test
  void objectsAreAppliedToTheClusterAndWaitedFor() throws Exception {
    int admin = ReservedPorts.next();
    int xds = ReservedPorts.next();
    try (KubeCluster cluster = KubeCluster.start()) {
      cluster.admin().apply(cluster.contourCrds());
      cluster
          .admin()
          .apply(
              Files.readString(
                  TestSources.repositoryRoot().resolve("deploy/crds/extensionpolicy.yaml")));
      Path kubectl = kubectl(cluster, admin);
      try (LineProcess server = serve(cluster, admin, xds)) {
        server.await("to lead", line -> line.startsWith("holdfast ready"));
        try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(xds))) {
          Path file = directory.resolve("shop.yaml");
          Files.writeString(file, shop("welcome"));
          assertThat(run(kubectl, 0, "apply", file.toString(), "--wait"))
              .contains("HTTPProxy/default/shop: created, " + file);
          assertThat(answer(envoy)).isEqualTo("welcome");

          assertThat(run(kubectl, 0, "apply", file.toString(), "--wait"))
              .contains("HTTPProxy/default/shop: unchanged");
          Files.writeString(file, shop("hello"));
          assertThat(run(kubectl, 0, "apply", file.toString(), "--dry-run"))
              .contains("HTTPProxy/default/shop: would be changed");
          assertThat(answer(envoy)).isEqualTo("welcome");
          run(kubectl, 0, "apply", file.toString(), "--wait");
          assertThat(answer(envoy)).isEqualTo("hello");

          Path script = directory.resolve("greeting.yaml");
          Files.writeString(script, brokenScript());
          assertThat(run(kubectl, 3, "apply", script.toString(), "--wait"))
              .contains("ExtensionPolicy/default/greeting: created", "script load error");
          assertThat(answer(envoy)).isEqualTo("hello");
          assertThat(run(kubectl, 0, "get", "holds")).contains("greeting");
        }
      }
    }
  }

  private static String shop(String body) {
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: shop, namespace: default}
        spec:
          virtualhost: {fqdn: shop.example.com}
          routes:
            - conditions: [{prefix: /}]
              directResponsePolicy: {statusCode: 200, body: %s}
        """
        .formatted(body);
  }

  private static String brokenScript() {
    return """
        apiVersion: holdfast.dev/v1alpha1
        kind: ExtensionPolicy
        metadata: {name: greeting, namespace: default}
        spec:
          targetRef: {name: shop}
          httpFilters:
            - name: greeting
              typedConfig:
                "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua
                default_source_code: {inline_string: "function envoy_on_response(handle"}
        """;
  }

  private static String answer(EnvoyProcess envoy) {
    return envoy.http("ingress_http").get("/").host("shop.example.com").send().body();
  }

  private Path kubectl(KubeCluster cluster, int admin) throws IOException {
    Path script = directory.resolve("kubectl");
    Files.writeString(
        script,
        """
        #!/bin/sh
        case $1 in
          port-forward) echo 'Forwarding from 127.0.0.1:%d -> 19000'; exec sleep 60 ;;
          exec) echo %s ;;
          *) exec %s --kubeconfig=%s "$@" ;;
        esac
        """
            .formatted(
                admin,
                TOKEN,
                cluster.programs().resolve("kubectl"),
                cluster.kubeconfig(cluster.adminToken())));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  private LineProcess serve(KubeCluster cluster, int admin, int xds) throws IOException {
    Path token = Files.writeString(directory.resolve("token"), TOKEN);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    return new LineProcess(
        directory,
        command(
            "serve",
            "--kubernetes",
            "--kubeconfig",
            cluster.kubeconfig(cluster.adminToken()).toString(),
            "--state",
            PLACE,
            "--xds-address",
            "127.0.0.1:" + xds,
            "--admin-address",
            "127.0.0.1:" + admin,
            "--admin-token-file",
            token.toString(),
            "--http-address",
            "127.0.0.1:0",
            "--https-address",
            "127.0.0.1:0",
            "--extension-code",
            "lua"));
  }

  private String run(Path kubectl, int exitCode, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--server", PLACE));
    ProcessBuilder builder =
        new ProcessBuilder(command(all.toArray(String[]::new))).redirectErrorStream(true);
    builder.environment().put("KUBECTL", kubectl.toString());
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(text).isEqualTo(exitCode);
    return text;
  }

  private static List<String> command(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
