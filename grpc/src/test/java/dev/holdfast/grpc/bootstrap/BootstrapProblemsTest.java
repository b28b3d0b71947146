// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.base.Problem;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each thing that can be wrong with a bootstrap, and where that is said to be. */
class BootstrapProblemsTest {
  private static final String CREDS = "\"channel_creds\": [{\"type\": \"insecure\"}]";
  private static final String SERVERS =
      "\"xds_servers\": [{\"server_uri\": \"x:1\", " + CREDS + "}]";

  static Stream<Arguments> documents() {
    return Stream.of(
        // Not JSON at all.
        wrong("", "empty (expected: a JSON object)"),
        wrong("{\"a\": 1,\n  b}", "not JSON: line 2, column "),
        wrong("{\"xds_servers\": [", "not JSON: ends too early at line 1, column "),
        wrong("{" + SERVERS + "} {}", "not JSON: line 1, column "),
        wrong("{" + SERVERS + "} // comment", "not JSON: line 1, column "),
        wrong("{'xds_servers': []}", "not JSON: line 1, column "),
        wrong("{\"x\": 1e999, " + SERVERS + "}", "not JSON"),
        wrong("[".repeat(300), "not JSON"),
        wrong("[]", "an array (expected: an object)"),
        wrong("7", "7 (expected: an object)"),
        wrong("{" + SERVERS + ", \"node\": {\"id\": \"a\", \"id\": \"b\"}}", "node.id: given more"),
        wrong(
            "{\"xds_servers\": [{\"server_uri\": \"x\", \"server_uri\": \"y\", " + CREDS + "}]}",
            "xds_servers[0].server_uri: given more than once (expected: once)"),
        // Servers.
        wrong("{}", "xds_servers: missing (expected: an array of at least one server)"),
        wrong("{\"xds_servers\": null}", "xds_servers: missing"),
        wrong("{\"xds_servers\": []}", "xds_servers: empty (expected: at least one server)"),
        wrong("{\"xds_servers\": {}}", "xds_servers: an object (expected: an array)"),
        wrong("{\"xds_servers\": [\"x:1\"]}", "xds_servers[0]: \"x:1\" (expected: an object)"),
        wrong(server(CREDS), "xds_servers[0].server_uri: missing (expected: host:port"),
        wrong(server("\"server_uri\": \"\", " + CREDS), "xds_servers[0].server_uri: empty"),
        wrong(server("\"server_uri\": 7, " + CREDS), "xds_servers[0].server_uri: 7 (expected: a"),
        wrong(
            server("\"server_uri\": \"x\", \"server_features\": \"xds_v3\", " + CREDS),
            "xds_servers[0].server_features: \"xds_v3\" (expected: an array)"),
        // Credentials.
        wrong(
            server("\"server_uri\": \"x\""),
            "xds_servers[0].channel_creds: missing (expected: an array of credentials, one of"
                + " [insecure, tls])"),
        creds("[]", ": [] (expected: at least one of [insecure, tls])"),
        creds("7", ": 7 (expected: an array)"),
        creds("[7]", "[0]: 7 (expected: an object)"),
        creds("[{}]", "[0].type: missing (expected: one of [insecure, tls])"),
        creds("[{\"type\": 1}]", "[0].type: 1 (expected: a string)"),
        creds(
            "[{\"type\": \"google_default\"}, {\"type\": \"x\"}]",
            ": [google_default, x] (expected: at least one of [insecure, tls])"),
        creds("[{\"type\": \"tls\", \"config\": 1}]", "[0].config: 1 (expected: an object)"),
        tls("\"certificate_file\": \"/c\"", "private_key_file: missing (expected: both"),
        tls("\"private_key_file\": \"/k\"", "certificate_file: missing (expected: both"),
        tls(
            "\"ca_certificate_file\": 1",
            "ca_certificate_file: not a string (expected: a file name)"),
        tls("\"ca_certificate_file\": \"\"", "ca_certificate_file: \"\" (expected: a file name)"),
        tls("\"refresh_interval\": \"10\"", "refresh_interval: \"10\" (expected: a positive"),
        tls("\"refresh_interval\": \"0s\"", "refresh_interval: \"0s\" (expected: a positive"),
        tls("\"refresh_interval\": \"-1s\"", "refresh_interval: \"-1s\" (expected: a positive"),
        tls("\"refresh_interval\": 10", "refresh_interval: not a string (expected: a positive"),
        callCreds("7", ": 7 (expected: an array)"),
        callCreds("[{}]", "[0].type: missing (expected: a type such as one of [jwt_token_file])"),
        callCreds("[{\"type\": \"jwt_token_file\"}]", "[0].config.jwt_token_file: missing"),
        callCreds(
            "[{\"type\": \"x\"}, {\"type\": \"jwt_token_file\","
                + " \"config\": {\"jwt_token_file\": \"\"}}]",
            "[1].config.jwt_token_file: not a file name (expected: a string)"),
        // The rest.
        field("\"node\": []", "node: an array (expected: an object)"),
        field("\"node\": {\"id\": 1}", "node.id: 1 (expected: a string)"),
        field("\"node\": {\"cluster\": {}}", "node.cluster: an object (expected: a string)"),
        field("\"node\": {\"metadata\": 1}", "node.metadata: 1 (expected: an object)"),
        field("\"node\": {\"locality\": \"r\"}", "node.locality: \"r\" (expected: an object)"),
        field(
            "\"node\": {\"locality\": {\"zone\": 1}}",
            "node.locality.zone: 1 (expected: a string)"),
        field("\"authorities\": []", "authorities: an array (expected: an object)"),
        field("\"authorities\": {\"a\": 1}", "authorities[\"a\"]: 1 (expected: an object)"),
        field(
            "\"authorities\": {\"a\": {\"xds_servers\": [{" + CREDS + "}]}}",
            "authorities[\"a\"].xds_servers[0].server_uri: missing"),
        field(
            "\"authorities\": {\"a\": {\"fallback_on_reachability_only\": \"yes\"}}",
            "authorities[\"a\"].fallback_on_reachability_only: \"yes\" (expected: true or false)"),
        field(
            "\"authorities\": {\"a\": {\"client_listener_resource_name_template\": \"xdstp://b/x\"}}",
            "authorities[\"a\"].client_listener_resource_name_template: \"xdstp://b/x\" (expected:"
                + " something that starts with xdstp://a/)"),
        field(
            "\"client_default_listener_resource_name_template\": 1",
            "client_default_listener_resource_name_template: 1 (expected: a string)"),
        field(
            "\"server_listener_resource_name_template\": {}",
            "server_listener_resource_name_template: an object (expected: a string)"),
        field("\"certificate_providers\": 1", "certificate_providers: 1 (expected: an object)"),
        field(
            "\"certificate_providers\": {\"p\": {}}",
            "certificate_providers[\"p\"].plugin_name: missing"),
        field(
            "\"certificate_providers\": {\"p\": {\"plugin_name\": \"x\", \"config\": []}}",
            "certificate_providers[\"p\"].config: an array (expected: an object)"));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void isReportedWithItsPlace(String document, String expected) {
    List<Problem> problems = problemsOf(document);

    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).toString()).startsWith(expected);
  }

  @Test
  void allProblemsAreReportedInTheOrderOfTheFields() {
    List<Problem> problems =
        problemsOf(
            """
            {
              "xds_servers": [{"server_features": 1}, 2],
              "node": {"id": 3},
              "certificate_providers": {"p": {}}
            }
            """);

    assertThat(problems)
        .extracting(Problem::path)
        .containsExactly(
            "node.id",
            "xds_servers[1]",
            "xds_servers[0].server_uri",
            "xds_servers[0].channel_creds",
            "xds_servers[0].server_features",
            "certificate_providers[\"p\"].plugin_name");
  }

  @Test
  void theTextSaysWhichBootstrapAndIsOneLine() {
    assertThatExceptionOfType(BootstrapException.class)
        .isThrownBy(() -> XdsBootstrap.fromJson("{\"xds_servers\": [7, 8]}", "/etc/xds.json"))
        .withMessage(
            "bootstrap /etc/xds.json: xds_servers[0]: 7 (expected: an object);"
                + " xds_servers[1]: 8 (expected: an object)")
        .satisfies(e -> assertThat(e.source()).isEqualTo("/etc/xds.json"));
  }

  private static List<Problem> problemsOf(String document) {
    try {
      XdsBootstrap.fromJson(document, "test");
    } catch (BootstrapException e) {
      return e.problems();
    }
    return List.of();
  }

  private static Arguments wrong(String document, String expected) {
    return Arguments.of(document, expected);
  }

  private static Arguments field(String field, String expected) {
    return wrong("{" + SERVERS + ", " + field + "}", expected);
  }

  private static Arguments creds(String creds, String expected) {
    return wrong(
        server("\"server_uri\": \"x\", \"channel_creds\": " + creds),
        "xds_servers[0].channel_creds" + expected);
  }

  private static Arguments callCreds(String creds, String expected) {
    return wrong(
        server("\"server_uri\": \"x\", " + CREDS + ", \"call_creds\": " + creds),
        "xds_servers[0].call_creds" + expected);
  }

  private static Arguments tls(String config, String expected) {
    return creds("[{\"type\": \"tls\", \"config\": {" + config + "}}]", "[0].config." + expected);
  }

  private static String server(String fields) {
    return "{\"xds_servers\": [{" + fields + "}]}";
  }
}
