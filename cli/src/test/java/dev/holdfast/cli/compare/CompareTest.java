// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.grpc.InsecureServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast compare} against resources in the shape and with the names of Contour's. */
class CompareTest {
  private static final String ROUTES =
      """
      name: "ingress_http"
      virtual_hosts {
        name: "secure.example.com"
        domains: "secure.example.com"
        routes { match { prefix: "/" } redirect { https_redirect: true } }
      }
      virtual_hosts {
        name: "shop.example.com"
        domains: "shop.example.com"
        routes {
          match { prefix: "/cart" }
          route {
            cluster: "shop/web/80/da39a3ee5e"
            timeout { seconds: 5 }
            retry_policy { retry_on: "5xx" num_retries { value: 3 } }
          }
          request_headers_to_add {
            header { key: "X-Cart" value: "yes" }
            append_action: OVERWRITE_IF_EXISTS_OR_ADD
          }
          metadata { filter_metadata { key: "envoy.access_loggers.file" value {} } }
        }
        routes {
          match { prefix: "/" }
          route {
            weighted_clusters {
              clusters { name: "shop/next/80/da39a3ee5e" weight { value: 1 } }
              clusters { name: "shop/web/80/da39a3ee5e" weight { value: 9 } }
              total_weight { value: 10 }
            }
          }
        }
      }
      """;

  private final TestCa ca = TestCa.create("authors");
  private final TestCa.Identity identity = ca.issue("secure");
  private final CapturedOutput captured = new CapturedOutput();
  private String table = ROUTES;
  private TestCa.Identity served = identity;
  @TempDir Path directory;

  @BeforeEach
  void writeObjects() throws Exception {
    Files.writeString(
        directory.resolve("services.yaml"),
        service("web", "10.0.0.1") + service("next", "10.0.0.2"));
    Files.writeString(
        directory.resolve("storefront.yaml"),
        """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: storefront, namespace: shop}
        spec:
          virtualhost: {fqdn: shop.example.com}
          routes:
          - services: [{name: web, port: 80, weight: 90}, {name: next, port: 80, weight: 10}]
          - conditions: [{prefix: /cart}]
            services: [{name: web, port: 80}]
            timeoutPolicy: {response: 5s}
            retryPolicy: {count: 3}
            requestHeadersPolicy: {set: [{name: X-Cart, value: "yes"}]}
        """);
    Files.writeString(
        directory.resolve("secure.yaml"),
        """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: secure, namespace: shop}
        spec:
          virtualhost: {fqdn: secure.example.com, tls: {secretName: cert}}
          routes: [{services: [{name: web, port: 80}]}]
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: cert, namespace: shop}
        type: kubernetes.io/tls
        data: {tls.crt: %s, tls.key: %s}
        """
            .formatted(base64(identity.certificatePem()), base64(identity.privateKeyPem())));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String service(String name, String address) {
    return """
        apiVersion: v1
        kind: Service
        metadata: {name: %s, namespace: shop}
        spec: {ports: [{name: http, port: 80}]}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: %s-1, namespace: shop, labels: {kubernetes.io/service-name: %s}}
        addressType: IPv4
        ports: [{name: http, port: 8080}]
        endpoints: [{addresses: [%s]}]
        ---
        """
        .formatted(name, name, name, address);
  }

  // What a Contour with the same objects serves.

  private List<Message> contour() throws Exception {
    List<Message> resources = new ArrayList<>();
    resources.add(listener("ingress_http", "ingress_http", ""));
    resources.add(listener("stats", "stats", ""));
    resources.add(listener("ingress_https", "https/secure.example.com", "secure.example.com"));
    resources.add(TextFormat.parse(table, RouteConfiguration.class));
    resources.add(
        TextFormat.parse(
            """
            name: "https/secure.example.com"
            virtual_hosts {
              name: "secure.example.com"
              domains: "secure.example.com"
              routes { match { prefix: "/" } route { cluster: "shop/web/80/da39a3ee5e" } }
            }
            """,
            RouteConfiguration.class));
    for (String name : List.of("web", "next")) {
      resources.add(
          TextFormat.parse(
              """
              name: "shop/%s/80/da39a3ee5e"
              alt_stat_name: "shop_%s_80"
              type: EDS
              eds_cluster_config { service_name: "shop/%s/http" }
              connect_timeout { seconds: 2 }
              common_lb_config { healthy_panic_threshold {} }
              """
                  .formatted(name, name, name),
              Cluster.class));
      resources.add(
          TextFormat.parse(
              """
              cluster_name: "shop/%s/http"
              endpoints { lb_endpoints { endpoint { address { socket_address {
                address: "%s" port_value: 8080 } } } } }
              """
                  .formatted(name, name.equals("web") ? "10.0.0.1" : "10.0.0.2"),
              ClusterLoadAssignment.class));
    }
    Secret.Builder secret = Secret.newBuilder().setName("shop/cert/0123456789");
    secret
        .getTlsCertificateBuilder()
        .getCertificateChainBuilder()
        .setInlineString(served.certificatePem());
    secret
        .getTlsCertificateBuilder()
        .getPrivateKeyBuilder()
        .setInlineString(served.privateKeyPem());
    resources.add(secret.build());
    return resources;
  }

  private static Listener listener(String name, String routes, String host) throws Exception {
    HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
    manager.getRdsBuilder().setRouteConfigName(routes);
    Listener.Builder listener =
        TextFormat.parse(
            "name: \"%s\" address { socket_address { address: \"0.0.0.0\" port_value: 1 } }"
                .formatted(name),
            Listener.class)
            .toBuilder();
    var chain = listener.addFilterChainsBuilder();
    chain.addFiltersBuilder().setTypedConfig(com.google.protobuf.Any.pack(manager.build()));
    if (!host.isEmpty()) {
      chain.getFilterChainMatchBuilder().addServerNames(host);
      chain
          .getTransportSocketBuilder()
          .setTypedConfig(
              com.google.protobuf.Any.pack(
                  TextFormat.parse(
                      """
                      common_tls_context {
                        tls_params {
                          tls_minimum_protocol_version: TLSv1_2
                          tls_maximum_protocol_version: TLSv1_3
                        }
                        tls_certificate_sds_secret_configs { name: "shop/cert/0123456789" }
                        alpn_protocols: "h2"
                        alpn_protocols: "http/1.1"
                      }
                      """,
                      DownstreamTlsContext.class)));
    }
    return listener.build();
  }

  private SortedMap<String, String> results(boolean isAds) throws Exception {
    try (ScriptedXdsServer server =
        ScriptedXdsServer.start(contour(), isAds, InsecureServerCredentials.create())) {
      int code =
          captured.run("compare", "--with", server.address(), directory.toString(), "-o", "json");
      assertThat(captured.err()).isEmpty();
      JsonObject json = JsonParser.parseString(captured.out()).getAsJsonObject();
      assertThat(code).isEqualTo(json.get("equal").getAsBoolean() ? 0 : 5);
      SortedMap<String, String> results = new TreeMap<>();
      for (JsonElement each : json.getAsJsonArray("items")) {
        JsonObject item = each.getAsJsonObject();
        StringBuilder fields = new StringBuilder();
        for (JsonElement field : item.getAsJsonArray("fields")) {
          fields
              .append(' ')
              .append(field.getAsJsonObject().get("field").getAsString())
              .append(' ')
              .append(field.getAsJsonObject().get("theirs").getAsString())
              .append("->")
              .append(field.getAsJsonObject().get("ours").getAsString());
        }
        results.put(
            item.get("host").getAsString() + " " + item.get("part").getAsString(),
            item.get("result").getAsString() + fields);
      }
      return results;
    }
  }

  @Test
  void whatMeansTheSameIsEqualWhateverItsName() throws Exception {
    assertThat(results(false))
        .containsOnlyKeys(
            "http://secure.example.com host",
            "http://secure.example.com prefix /",
            "http://shop.example.com host",
            "http://shop.example.com prefix /",
            "http://shop.example.com prefix /cart",
            "https://secure.example.com host",
            "https://secure.example.com prefix /")
        .allSatisfy((part, result) -> assertThat(result).as(part).isEqualTo("equal"));
  }

  @Test
  void aServerThatHasOnlyAdsIsAskedOverAds() throws Exception {
    assertThat(results(true).values()).containsOnly("equal");
  }

  @Test
  void eachFieldThatDiffersIsNamed() throws Exception {
    table =
        ROUTES
            .replace("seconds: 5", "seconds: 7")
            .replace("value { }", "")
            .replace("weight { value: 9 }", "weight { value: 4 }")
            .replace("value: \"yes\"", "value: \"no\"");
    assertThat(results(false))
        .containsEntry(
            "http://shop.example.com prefix /cart",
            "different request_headers_to_add.header.value no->yes route.timeout 7s->5s")
        .containsEntry(
            "http://shop.example.com prefix /",
            "different"
                + " route.weighted_clusters.clusters[0].weight 8000->9000"
                + " route.weighted_clusters.clusters[1].weight 2000->1000")
        .containsEntry("http://secure.example.com prefix /", "equal");
  }

  @Test
  void hostsAndRoutesOfOneSideAndTheirOrderAreTold() throws Exception {
    int second = ROUTES.indexOf("  routes {\n    match { prefix: \"/\" }\n    route {");
    String cart =
        ROUTES.substring(ROUTES.indexOf("  routes {\n    match { prefix: \"/cart\""), second);
    table =
        ROUTES
            .replace(cart, "")
            .replaceFirst(
                "}\n$",
                cart.replace("$", "")
                    + "  routes { match { path: \"/old\" } direct_response { status: 410 } }\n}\n"
                    + "virtual_hosts { name: \"x\" domains: \"x.example.com\" }\n");
    assertThat(results(false))
        .containsEntry("http://shop.example.com path /old", "only_theirs")
        .containsEntry("http://x.example.com host", "only_theirs")
        .containsEntry(
            "http://shop.example.com host",
            "different order of 'prefix /' and 'prefix /cart' the first is tried first->the second"
                + " is tried first");
    Files.delete(directory.resolve("secure.yaml"));
  }

  @Test
  void certificatesAreComparedByFingerprintAndKeysAreNeverShown() throws Exception {
    served = ca.issue("secure");
    try (ScriptedXdsServer server =
        ScriptedXdsServer.start(contour(), false, InsecureServerCredentials.create())) {
      assertThat(captured.run("compare", "--with", server.address(), directory.toString()))
          .isEqualTo(5);
    }
    assertThat(captured.out())
        .contains("https://secure.example.com", "tls.certificates.certificate_chain: sha256:")
        .doesNotContain("PRIVATE KEY", "private_key")
        .contains("3 hosts; hosts and routes: 6 equal, 1 different");
  }

  @Test
  void aServerThatDoesNotAnswerCannotBeCompared() throws Exception {
    String address;
    try (ScriptedXdsServer server =
        ScriptedXdsServer.start(List.of(), false, InsecureServerCredentials.create())) {
      address = server.address();
    }
    assertThat(captured.run("compare", "--with", address, directory.toString())).isEqualTo(1);
    assertThat(captured.err()).contains(address + ": no Listener: UNAVAILABLE");
  }

  @Test
  void argumentsAreChecked() {
    assertThat(captured.run("compare", "--with", "x:1")).isEqualTo(2);
    assertThat(captured.err()).contains("no objects given (expected: DIRECTORY or --kubernetes)");
    assertThat(captured.run("compare", "--with", "x:1", "/no/such/directory")).isEqualTo(2);
    assertThat(captured.run("compare", "--with", "x:1", "a", "--key", "b")).isEqualTo(2);
  }

  @Test
  void tlsIsSpokenIfThereAreCertificates() throws Exception {
    TestCa.Identity server = ca.issue("server");
    ca.writeTo(directory);
    Path client = Files.createDirectory(directory.resolve("client"));
    ca.issue("client").writeTo(client);
    try (ScriptedXdsServer xds =
        ScriptedXdsServer.start(
            contour(),
            false,
            TlsServerCredentials.newBuilder()
                .keyManager(stream(server.certificatePem()), stream(server.privateKeyPem()))
                .trustManager(stream(ca.certificatePem()))
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build())) {
      assertThat(
              captured.run(
                  "compare",
                  "--with",
                  xds.address(),
                  directory.toString(),
                  "--ca",
                  directory.resolve("ca.pem").toString(),
                  "--certificate",
                  client.resolve("cert.pem").toString(),
                  "--key",
                  client.resolve("key.pem").toString()))
          .isNotEqualTo(1);
      assertThat(
              captured.run(
                  "compare",
                  "--with",
                  xds.address(),
                  directory.toString(),
                  "--ca",
                  directory.resolve("ca.pem").toString()))
          .isEqualTo(1);
    }
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
