// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.YamlReader;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.xds.client.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What data planes are started with. */
class BootstrapCommandTest {
  private final CapturedOutput captured = new CapturedOutput();

  @Test
  void anEnvoySpeaksDeltaToThisMachineByDefault() {
    captured.run(Map.of("HOSTNAME", "box"), "bootstrap", "envoy");
    Value yaml = yaml();

    assertThat(at(yaml, "node", "id")).isEqualTo("box-envoy");
    assertThat(at(yaml, "node", "cluster")).isEqualTo("holdfast");
    assertThat(at(yaml, "admin", "address", "socket_address", "port_value")).isEqualTo(9901L);
    assertThat(at(yaml, "dynamic_resources", "ads_config", "api_type")).isEqualTo("DELTA_GRPC");
    assertThat(cluster(yaml, "type")).isEqualTo("STATIC");
    assertThat(endpoint(yaml, "address")).isEqualTo("127.0.0.1");
    assertThat(endpoint(yaml, "port_value")).isEqualTo(18000L);
  }

  @Test
  void anEnvoyWithTlsChecksTheNameOfTheControlPlane() {
    captured.run(
        "bootstrap",
        "envoy",
        "--xds-address",
        "xds.example.com:443",
        "--ca",
        "/tls/ca.pem",
        "--certificate",
        "/tls/edge.pem",
        "--key",
        "/tls/edge-key.pem");
    Value yaml = yaml();

    assertThat(cluster(yaml, "transport_socket", "typed_config", "sni"))
        .isEqualTo("xds.example.com");
    assertThat(
            cluster(
                yaml,
                "transport_socket",
                "typed_config",
                "common_tls_context",
                "validation_context",
                "trusted_ca",
                "filename"))
        .isEqualTo("/tls/ca.pem");
    assertThat(captured.out())
        .contains("{san_type: DNS, matcher: {exact: \"xds.example.com\"}}")
        .contains("certificate_chain: {filename: \"/tls/edge.pem\"}")
        .contains("private_key: {filename: \"/tls/edge-key.pem\"}");
  }

  @Test
  void anEnvoyThatRenewsItsCertificateHasItInAFileOfItsOwn(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("envoy-tls.yaml");
    int exitCode =
        captured.run(
            "bootstrap",
            "envoy",
            "--ca",
            "/tls/ca.pem",
            "--certificate",
            "/tls/edge.pem",
            "--key",
            "/tls/edge-key.pem",
            "--sds-file",
            file.toString());

    assertThat(exitCode).isZero();
    assertThat(captured.out())
        .contains("path_config_source: {path: \"" + file + "\"}")
        .doesNotContain("edge.pem");
    assertThat(Files.readString(file))
        .contains("name: holdfast_identity")
        .contains("certificate_chain: {filename: \"/tls/edge.pem\"}")
        .contains("private_key: {filename: \"/tls/edge-key.pem\"}")
        .contains("watched_directory: {path: \"/tls\"}");
    assertThat(captured.run("bootstrap", "envoy", "--ca", "/c", "--sds-file", file.toString()))
        .isEqualTo(2);
    assertThat(captured.err()).contains("--sds-file without --certificate and --key");
  }

  @Test
  void aGrpcApplicationWithTlsIsToldTheFiles() {
    captured.run(
        "bootstrap", "grpc", "--ca", "/tls/ca.pem", "--certificate", "/c.pem", "--key", "/k.pem");

    assertThat(captured.out().replaceAll("\\s", ""))
        .contains(
            "\"channel_creds\":[{\"type\":\"tls\",\"config\":{\"ca_certificate_file\":\"/tls/ca.pem\","
                + "\"certificate_file\":\"/c.pem\",\"private_key_file\":\"/k.pem\"}}]");
  }

  @ParameterizedTest
  @CsvSource({
    "--certificate,/c.pem,--certificate without --key (expected: both)",
    "--key,/k.pem,--key without --certificate (expected: both)",
  })
  void halfOfAPairIsRefused(String option, String file, String message) {
    assertThat(captured.run("bootstrap", "envoy", option, file)).isEqualTo(2);
    assertThat(captured.err()).contains(message);
  }

  @Test
  void everythingCanBeSaid() {
    captured.run(
        "bootstrap",
        "envoy",
        "--sotw",
        "--scout",
        "--node",
        "a: \"b\"",
        "--cluster",
        "#c",
        "--xds-address",
        "xds.example.com:443",
        "--admin-port",
        "0");
    Value yaml = yaml();

    assertThat(at(yaml, "node", "id")).isEqualTo("a: \"b\"");
    assertThat(at(yaml, "node", "cluster")).isEqualTo("#c");
    assertThat(at(yaml, "node", "metadata", "holdfast_role")).isEqualTo("scout");
    assertThat(at(yaml, "admin", "address", "socket_address", "port_value")).isEqualTo(0L);
    assertThat(at(yaml, "dynamic_resources", "ads_config", "api_type")).isEqualTo("GRPC");
    assertThat(cluster(yaml, "type")).isEqualTo("STRICT_DNS");
    assertThat(endpoint(yaml, "address")).isEqualTo("xds.example.com");
  }

  @Test
  void anIpv6AddressLosesItsBrackets() {
    captured.run("bootstrap", "envoy", "--xds-address", "[::1]:18000");

    assertThat(endpoint(yaml(), "address")).isEqualTo("::1");
    assertThat(cluster(yaml(), "type")).isEqualTo("STATIC");
  }

  @Test
  void aGrpcApplicationUnderstandsItsOwn() {
    captured.run("bootstrap", "grpc", "--node", "app-1", "--xds-address", "xds:18000");

    XdsBootstrap bootstrap = XdsBootstrap.fromJson(captured.out(), "printed");

    assertThat(bootstrap.servers()).extracting(ServerConfig::uri).containsExactly("xds:18000");
    assertThat(bootstrap.node().getId()).isEqualTo("app-1");
    assertThat(captured.out()).contains("\"xds_v3\"", "\"locality\": {}");
  }

  @Test
  void withoutAHostNameEachFileHasANodeIdOfItsOwn() {
    captured.run(Map.of(), "bootstrap", "envoy");
    Object first = at(yaml(), "node", "id");
    CapturedOutput again = new CapturedOutput();
    again.run(Map.of(), "bootstrap", "envoy");

    assertThat(first.toString()).matches("envoy-[0-9a-f]{8}");
    assertThat(again.out()).doesNotContain(first.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bootstrap envoy --xds-address x|--xds-address: 'x' (expected: HOST:PORT, from port 1 to"
            + " 65535) (see 'holdfast bootstrap envoy --help')",
        "bootstrap grpc --xds-address x:0|--xds-address: 'x:0' (expected: HOST:PORT, from port 1"
            + " to 65535) (see 'holdfast bootstrap grpc --help')",
        "bootstrap envoy --admin-port 70000|--admin-port: 70000 (expected: 0 to 65535) (see"
            + " 'holdfast bootstrap envoy --help')",
      })
  void badArgumentsAreExplained(String line, String message) {
    assertThat(captured.run(line.split(" "))).isEqualTo(2);
    assertThat(captured.err()).isEqualTo("holdfast: " + message + "\n");
    assertThat(captured.out()).isEmpty();
  }

  private Value yaml() {
    Documents documents = YamlReader.read("envoy.yaml", captured.out().getBytes(UTF_8));
    assertThat(documents.problems()).isEmpty();
    return documents.documents().get(0);
  }

  private static Object endpoint(Value yaml, String field) {
    Value clusters = value(yaml, "static_resources", "clusters");
    Value endpoints = value(first(clusters), "load_assignment", "endpoints");
    Value endpoint = first(value(first(endpoints), "lb_endpoints"));
    return at(endpoint, "endpoint", "address", "socket_address", field);
  }

  private static Object cluster(Value yaml, String... path) {
    return at(first(value(yaml, "static_resources", "clusters")), path);
  }

  private static Value first(Value sequence) {
    return ((Sequence) sequence).elements().get(0);
  }

  private static Object at(Value value, String... path) {
    return Objects.requireNonNull(((Scalar) value(value, path)).value());
  }

  private static Value value(Value value, String... path) {
    Value current = value;
    for (String name : path) {
      current = Objects.requireNonNull(((Mapping) current).get(name), name);
    }
    return current;
  }
}
