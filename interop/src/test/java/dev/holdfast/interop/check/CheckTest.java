// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.gson.JsonObject;
import dev.holdfast.interop.Interrupts;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBinary;
import dev.holdfast.interop.serve.Docs;
import dev.holdfast.server.envoy.EnvoyProgram;
import dev.holdfast.testkit.TestCa;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/** Exactly the bad objects are found, with the versions that say so, and nothing is left behind. */
class CheckTest {
  /** How many objects are checked in the largest case; 1,000 take half a minute. */
  private static final int OBJECTS = Integer.getInteger("holdfast.check.objects", 200);

  @TempDir Path work;

  private static List<Path> envoys() {
    List<Path> envoys = new ArrayList<>(List.of(EnvoyBinary.find()));
    try {
      envoys.add(EnvoyBinary.older());
    } catch (TestAbortedException e) {
      System.out.println("check: without an older version: " + e.getMessage());
    }
    return envoys;
  }

  @Test
  void badObjectsAmongManyAreFound() throws Exception {
    List<Path> envoys = envoys();
    String newest = EnvoyProgram.at(envoys.get(0)).toString();
    String older = envoys.size() < 2 ? "" : EnvoyProgram.at(envoys.get(1)).toString();
    String both = envoys.size() < 2 ? newest : newest + ", " + older;
    CheckTree tree =
        new CheckTree(work.resolve("tree"))
            .hosts(OBJECTS - 7)
            .write("invalid.yaml", CheckTree.host("invalid", "nowhere", "s0"))
            .script("refused", "h1", "this is no script")
            .script("deadly", "h2", CheckTree.DEADLY)
            .script("hanging", "h3", CheckTree.HANGING)
            .emptyAuthorization("failing", "h4")
            .newCommand("old", "h5")
            .script("good", "h6", CheckTree.GOOD);

    try (CheckProcess check =
        CheckProcess.start(
            work,
            envoys,
            "--probe",
            "--hang-after",
            "12s", // not every machine is fast
            tree.directory().toString())) {
      JsonObject result = check.result();
      assertThat(check.exitCode()).isEqualTo(3);

      Map<String, String> bad = CheckProcess.findings(result, "error");
      assertThat(bad.remove("old")).isEqualTo(older.isEmpty() ? null : "Refused by " + older);
      assertThat(bad)
          .isEqualTo(
              Map.of(
                  "invalid", "Invalid",
                  "refused", "Refused by " + both,
                  "deadly", "ProxyDied by " + both,
                  "hanging", "ProxyHung by " + both,
                  "failing", "ProbeFailed by " + both));
      assertThat(CheckProcess.findings(result, "warning").keySet())
          .isSubsetOf("h1", "h2", "h3", "h5"); // they wait for their policies
      assertThat(result.get("complete").getAsBoolean()).isTrue();
      long millis = result.get("tookMillis").getAsLong();
      System.out.printf("check: %d objects in %d ms%n", result.get("objects").getAsInt(), millis);
      assertNothingIsLeft(check);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM", "KILL"})
  void nothingIsLeftOfOneThatIsInterrupted(String signal) throws Exception {
    assumeFalse(signal.equals("INT") && Interrupts.areIgnored(), "SIGINT is ignored in this shell");
    CheckTree tree =
        new CheckTree(work.resolve("tree")).hosts(20).script("hanging", "h3", CheckTree.HANGING);

    try (CheckProcess check =
        CheckProcess.start(
            work,
            List.of(EnvoyBinary.find()),
            "--hang-after",
            "20s",
            tree.directory().toString())) {
      await().atMost(Duration.ofSeconds(60)).until(() -> !check.files().isEmpty());
      await().atMost(Duration.ofSeconds(60)).until(() -> check.children().size() >= 2);
      Thread.sleep(2_000); // in the midst of it
      check.process().signal(signal);
      assertThat(check.exitCode()).isNotZero().isNotEqualTo(3);
      assertNothingIsLeft(check);
    }
  }

  @Test
  void whatWasBadBeforeDoesNotFail() throws Exception {
    CheckTree before =
        new CheckTree(work.resolve("before"))
            .hosts(20)
            .script("known", "h1", "this is no script")
            .script("edited", "h2", CheckTree.GOOD);
    CheckTree after =
        new CheckTree(work.resolve("after"))
            .hosts(20)
            .script("known", "h1", "this is no script")
            .script("edited", "h2", CheckTree.GOOD);

    assertThat(exitCode(before, after, Map.of(), Map.of("known", "Refused"))).isZero();
    after.script("edited", "h2", CheckTree.DEADLY);
    assertThat(exitCode(before, after, Map.of("edited", "ProxyDied"), Map.of("known", "Refused")))
        .isEqualTo(3);
  }

  private int exitCode(
      CheckTree before, CheckTree after, Map<String, String> bad, Map<String, String> known)
      throws Exception {
    String version = EnvoyProgram.at(EnvoyBinary.find()).toString();
    try (CheckProcess check =
        CheckProcess.start(
            work,
            List.of(EnvoyBinary.find()),
            "--baseline",
            before.directory(),
            after.directory())) {
      JsonObject result = check.result();
      bad.forEach(
          (name, reason) ->
              assertThat(CheckProcess.findings(result, "error"))
                  .containsEntry(name, reason + " by " + version));
      assertThat(CheckProcess.findings(result, "error")).hasSameSizeAs(bad);
      known.forEach(
          (name, reason) ->
              assertThat(CheckProcess.findings(result, "known"))
                  .containsEntry(name, reason + " by " + version));
      return check.exitCode();
    }
  }

  @Test
  void aProbeReachesNoBackend() throws Exception {
    try (Backend backend = Backend.start("one")) {
      CheckTree tree =
          new CheckTree(work.resolve("tree"))
              .write(
                  "a.yaml",
                  """
                  apiVersion: v1
                  kind: Service
                  metadata: {name: s0}
                  spec: {ports: [{name: http, port: 80}]}
                  ---
                  apiVersion: discovery.k8s.io/v1
                  kind: EndpointSlice
                  metadata: {name: s0-1, labels: {kubernetes.io/service-name: s0}}
                  addressType: IPv4
                  ports: [{name: http, port: %d}]
                  endpoints: [{addresses: [127.0.0.1]}]
                  ---
                  apiVersion: projectcontour.io/v1
                  kind: HTTPProxy
                  metadata: {name: a}
                  spec:
                    virtualhost: {fqdn: a.example.com}
                    routes:
                    - conditions: [{prefix: /}]
                      services: [{name: s0, port: 80}]
                      healthCheckPolicy: {path: /healthz, intervalSeconds: 1, timeoutSeconds: 1}
                    - conditions: [{regex: "/r/[0-9]+"}, {header: {name: x-a, contains: b}}]
                      services: [{name: s0, port: 80}]
                    - conditions: [{exact: /fail}]
                      directResponsePolicy: {statusCode: 503}
                  """
                      .formatted(backend.port()));
      try (CheckProcess check =
          CheckProcess.start(
              work, List.of(EnvoyBinary.find()), "--probe", tree.directory().toString())) {
        JsonObject result = check.result();
        assertThat(result.getAsJsonArray("findings")).isEmpty();
        assertThat(check.exitCode()).isZero();
        assertThat(backend.count()).isZero();
      }
    }
  }

  @Test
  void requestsThatHangAndScriptsThatEatMemoryAreFound() throws Exception {
    CheckTree tree =
        new CheckTree(work.resolve("tree"))
            .hosts(20)
            .script("hanging", "h1", "function envoy_on_request(h) while true do end end")
            .script(
                "failing",
                "h2",
                "function envoy_on_request(h) h:respond({[':status'] = '500'}, 'no') end")
            .script(
                "hungry",
                "h3",
                "local t = {} for i = 1, 1e9 do t[i] = string.rep('x', 1000) .. i end")
            .script(
                "refusing",
                "h4",
                "function envoy_on_request(h) h:respond({[':status'] = '403'}, 'no') end");
    String version = EnvoyProgram.at(EnvoyBinary.find()).toString();
    try (CheckProcess check =
        CheckProcess.start(
            work,
            List.of(EnvoyBinary.find()),
            "--probe",
            "--memory",
            512,
            "--hang-after",
            "20s",
            tree.directory())) {
      Map<String, String> bad = CheckProcess.findings(check.result(), "error");
      assertThat(bad.remove("hungry")).matches("(Refused|ProxyDied) by " + version);
      assertThat(bad)
          .isEqualTo(
              Map.of(
                  "hanging", "ProbeFailed by " + version, "failing", "ProbeFailed by " + version));
      assertThat(check.exitCode()).isEqualTo(3);
      assertNothingIsLeft(check);
    }
  }

  @Test
  void hostsWithTlsAndOtherProtocolsAreProbed() throws Exception {
    CheckTree tree =
        new CheckTree(work.resolve("tree"))
            .write(
                "secret.yaml",
                Docs.tlsSecret("cert", TestCa.create("authority").issue("tls.example.com")))
            .write(
                "tls.yaml",
                """
                apiVersion: v1
                kind: Service
                metadata: {name: plain}
                spec: {ports: [{name: http, port: 80}]}
                ---
                apiVersion: v1
                kind: Service
                metadata:
                  name: h2
                  annotations: {projectcontour.io/upstream-protocol.h2c: "80"}
                spec: {ports: [{name: http, port: 80}]}
                ---
                apiVersion: v1
                kind: Service
                metadata:
                  name: encrypted
                  annotations: {projectcontour.io/upstream-protocol.tls: "443"}
                spec: {ports: [{name: http, port: 443}]}
                ---
                apiVersion: projectcontour.io/v1alpha1
                kind: ExtensionService
                metadata: {name: auth}
                spec:
                  protocol: h2c
                  services: [{name: h2, port: 80}]
                ---
                apiVersion: projectcontour.io/v1
                kind: HTTPProxy
                metadata: {name: tls}
                spec:
                  virtualhost:
                    fqdn: tls.example.com
                    tls: {secretName: cert}
                    authorization: {extensionRef: {name: auth, namespace: default}}
                  routes:
                  - conditions: [{prefix: /}]
                    services: [{name: plain, port: 80}]
                  - conditions: [{prefix: /h2}]
                    services: [{name: h2, port: 80}]
                  - conditions: [{prefix: /encrypted}]
                    services: [{name: encrypted, port: 443}]
                """);
    try (CheckProcess check =
        CheckProcess.start(
            work, List.of(EnvoyBinary.find()), "--probe", tree.directory().toString())) {
      JsonObject result = check.result();
      assertThat(check.exitCode()).as(result.toString()).isZero();
      assertThat(CheckProcess.findings(result, "warning"))
          .isEqualTo(
              Map.of("tls", "NotProbed by " + EnvoyProgram.at(EnvoyBinary.find()).toString()));
      assertThat(result.getAsJsonArray("findings")).hasSize(1);
    }
  }

  private static void assertNothingIsLeft(CheckProcess check) {
    await().atMost(Duration.ofSeconds(10)).until(() -> check.children().isEmpty());
    await().atMost(Duration.ofSeconds(10)).until(() -> check.files().isEmpty());
  }
}
