// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.Main;
import dev.holdfast.interop.Leash;
import dev.holdfast.interop.TestSources;
import dev.holdfast.testkit.ReservedPorts;
import dev.holdfast.testkit.TestCa;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code holdfast compare} beside a real Contour, on the same cluster. Runs where {@code
 * interop/bin/get-contour} has built one.
 */
class CompareWithContourTest {
  @TempDir private Path directory;

  @Test
  void whatBothServeForTheSameObjects() throws Exception {
    Path contour = contour();
    try (KubeCluster cluster = KubeCluster.start()) {
      cluster.admin().apply(cluster.contourCrds());
      cluster.admin().apply(objects());
      int port = ReservedPorts.next();
      Process process = serve(contour, cluster, port);
      try {
        await("Contour serves")
            .dontCatchUncaughtExceptions()
            .atMost(Duration.ofMinutes(1))
            .failFast("Contour has ended", () -> !process.isAlive())
            .ignoreExceptions()
            .until(
                () -> {
                  try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    return socket.isConnected();
                  }
                });
        SortedMap<String, String> results = compare(cluster, port);
        assertThat(results)
            .containsEntry("http://unsupported.example.com host", "only_theirs")
            .containsEntry("http://plain.example.com prefix /", "equal")
            .containsEntry("http://plain.example.com prefix /x/", "equal")
            .containsEntry("http://shop.example.com path /old", "equal")
            .containsEntry("http://shop.example.com prefix /", "equal")
            .containsEntry("http://shop.example.com prefix /cart", "equal")
            .containsEntry("http://shop.example.com prefix /cart/", "equal")
            .containsEntry(
                "http://shop.example.com prefix /beta, headers.name x-beta,"
                    + " headers.present_match true",
                "equal")
            .containsEntry("https://secure.example.com prefix /", "equal")
            // Contour says of its redirects to HTTPS that they need no authorization.
            .containsEntry(
                "http://secure.example.com prefix /",
                "different;"
                    + " typed_per_filter_config[envoy.extensions.filters.http.ext_authz.v3"
                    + ".ExtAuthzPerRoute].disabled: true -> ")
            .hasSize(14);
        // What Contour does for all hosts, and Holdfast does not.
        for (String host : List.of("http://plain", "http://secure", "http://shop")) {
          assertThat(results.get(host + ".example.com host"))
              .isEqualTo(
                  "different; virtual_host.request_headers_to_add.header.key: x-request-start -> ;"
                      + " virtual_host.request_headers_to_add.header.value:"
                      + " t=%START_TIME(%s.%3f)% -> ");
        }
        assertThat(results.get("https://secure.example.com host"))
            .contains("x-request-start", "tls.tls_params.cipher_suites[0]: ECDHE-")
            .doesNotContain("certificate");
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private static Path contour() throws Exception {
    Process process =
        new ProcessBuilder(
                TestSources.repositoryRoot().resolve("interop/bin/get-contour").toString(),
                "--find")
            .redirectErrorStream(true)
            .start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assumeTrue(process.waitFor() == 0, said);
    return Path.of(said);
  }

  private Process serve(Path contour, KubeCluster cluster, int port) throws Exception {
    Path config = Files.writeString(directory.resolve("contour.yaml"), "{}\n");
    return new ProcessBuilder(
            Leash.on(
                List.of(
                    contour.toString(),
                    "serve",
                    "--kubeconfig=" + cluster.kubeconfig(cluster.adminToken()),
                    "--insecure",
                    "--disable-leader-election",
                    "--xds-address=127.0.0.1",
                    "--xds-port=" + port,
                    "--http-address=127.0.0.1",
                    "--http-port=" + ReservedPorts.next(),
                    "--debug-http-port=" + ReservedPorts.next(),
                    "--health-address=127.0.0.1",
                    "--health-port=" + ReservedPorts.next(),
                    "--config-path=" + config)))
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(directory.resolve("contour.log").toFile()))
        .start();
  }

  private static SortedMap<String, String> compare(KubeCluster cluster, int port) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "compare",
                "--with",
                "127.0.0.1:" + port,
                "--kubernetes",
                "--kubeconfig",
                cluster.kubeconfig(cluster.adminToken()).toString(),
                "-o",
                "json")
            .redirectError(Redirect.INHERIT)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isIn(0, 5);
    SortedMap<String, String> results = new TreeMap<>();
    for (JsonElement each :
        JsonParser.parseString(text).getAsJsonObject().getAsJsonArray("items")) {
      JsonObject item = each.getAsJsonObject();
      StringBuilder result = new StringBuilder(item.get("result").getAsString());
      for (JsonElement field : item.getAsJsonArray("fields")) {
        JsonObject difference = field.getAsJsonObject();
        result
            .append("; ")
            .append(difference.get("field").getAsString())
            .append(": ")
            .append(difference.get("theirs").getAsString())
            .append(" -> ")
            .append(difference.get("ours").getAsString());
      }
      results.put(
          item.get("host").getAsString() + " " + item.get("part").getAsString(), result.toString());
    }
    return results;
  }

  private static String objects() {
    TestCa.Identity identity = TestCa.create("shop").issue("secure.example.com");
    return service("web", "10.0.0.1")
        + service("next", "10.0.0.2")
        + """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: storefront, namespace: default}
        spec:
          virtualhost: {fqdn: shop.example.com}
          routes:
          - services: [{name: web, port: 80, weight: 90}, {name: next, port: 80, weight: 10}]
          - conditions: [{prefix: /cart}]
            services: [{name: web, port: 80}]
            timeoutPolicy: {response: 5s, idle: 10s}
            retryPolicy: {count: 3, perTryTimeout: 1s}
            requestHeadersPolicy: {set: [{name: X-Cart, value: "yes"}], remove: [X-Old]}
            pathRewritePolicy: {replacePrefix: [{replacement: /basket}]}
          - conditions: [{prefix: /beta}, {header: {name: x-beta, present: true}}]
            services: [{name: next, port: 80}]
            loadBalancerPolicy: {strategy: Cookie}
          - conditions: [{exact: /old}]
            requestRedirectPolicy: {path: /new, statusCode: 301}
        ---
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: secure, namespace: default}
        spec:
          virtualhost: {fqdn: secure.example.com, tls: {secretName: cert}}
          routes:
          - services: [{name: web, port: 80}]
            healthCheckPolicy: {path: /health, intervalSeconds: 5}
        ---
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: unsupported, namespace: default}
        spec:
          virtualhost: {fqdn: unsupported.example.com}
          routes: [{services: [{name: web, port: 80, healthPort: 80}]}]
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: cert, namespace: default}
        type: kubernetes.io/tls
        data: {tls.crt: %s, tls.key: %s}
        ---
        apiVersion: networking.k8s.io/v1
        kind: Ingress
        metadata: {name: plain, namespace: default}
        spec:
          rules:
          - host: plain.example.com
            http:
              paths:
              - {path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}
              - {path: /x, pathType: Prefix, backend: {service: {name: next, port: {number: 80}}}}
        """
            .formatted(base64(identity.certificatePem()), base64(identity.privateKeyPem()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String service(String name, String address) {
    return """
        apiVersion: v1
        kind: Service
        metadata: {name: %s, namespace: default}
        spec: {ports: [{name: http, port: 80, targetPort: 8080}]}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: %s-1, namespace: default, labels: {kubernetes.io/service-name: %s}}
        addressType: IPv4
        ports: [{name: http, port: 8080, protocol: TCP}]
        endpoints: [{addresses: [%s], conditions: {ready: true}}]
        ---
        """
        .formatted(name, name, name, address);
  }
}
