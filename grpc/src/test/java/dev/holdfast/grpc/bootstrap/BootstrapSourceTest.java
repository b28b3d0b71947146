// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.grpc.bootstrap.XdsBootstrap.Authority;
import dev.holdfast.xds.client.Credentials;
import dev.holdfast.xds.client.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a bootstrap may come from. */
class BootstrapSourceTest {
  @TempDir Path directory;

  @Test
  void theFileWinsOverTheInlineText() throws IOException {
    Path file = write(document("from-file"));

    XdsBootstrap bootstrap =
        XdsBootstrap.fromEnvironment(
            Map.of(
                "GRPC_XDS_BOOTSTRAP", file.toString(),
                "GRPC_XDS_BOOTSTRAP_CONFIG", document("inline")));

    assertThat(bootstrap.servers().get(0).uri()).isEqualTo("from-file");
  }

  @Test
  void theInlineTextIsUsedIfNoFileIsNamed() {
    XdsBootstrap bootstrap =
        XdsBootstrap.fromEnvironment(
            Map.of("GRPC_XDS_BOOTSTRAP", "", "GRPC_XDS_BOOTSTRAP_CONFIG", document("inline")));

    assertThat(bootstrap.servers().get(0).uri()).isEqualTo("inline");
  }

  @Test
  void anUnreadableFileIsNotReplacedByTheInlineText() {
    Path missing = directory.resolve("missing.json");

    assertThatExceptionOfType(BootstrapException.class)
        .isThrownBy(
            () ->
                XdsBootstrap.fromEnvironment(
                    Map.of(
                        "GRPC_XDS_BOOTSTRAP", missing.toString(),
                        "GRPC_XDS_BOOTSTRAP_CONFIG", document("inline"))))
        .withMessage("bootstrap " + missing + ": no such file");
  }

  @Test
  void anEnvironmentWithoutBootstrapIsToldHowToNameOne() {
    assertThatExceptionOfType(BootstrapException.class)
        .isThrownBy(() -> XdsBootstrap.fromEnvironment(Map.of()))
        .withMessageContaining("$GRPC_XDS_BOOTSTRAP ")
        .withMessageContaining("$GRPC_XDS_BOOTSTRAP_CONFIG");
  }

  @Test
  void theVariableIsTheSourceOfInlineText() {
    assertThatExceptionOfType(BootstrapException.class)
        .isThrownBy(
            () -> XdsBootstrap.fromEnvironment(Map.of("GRPC_XDS_BOOTSTRAP_CONFIG", "{nonsense")))
        .satisfies(e -> assertThat(e.source()).isEqualTo("$GRPC_XDS_BOOTSTRAP_CONFIG"));
  }

  @Test
  void whatIsNoTextFileIsRefused() throws IOException {
    Path binary = directory.resolve("binary");
    Files.write(binary, new byte[] {'{', (byte) 0xff, '}'});
    assertThatExceptionOfType(BootstrapException.class)
        .isThrownBy(() -> XdsBootstrap.fromFile(binary))
        .withMessageContaining("UTF-8");
    assertThatExceptionOfType(BootstrapException.class)
        .isThrownBy(() -> XdsBootstrap.fromFile(directory))
        .withMessageContaining("cannot be read");
  }

  @Test
  void codeMakesTheSameBootstrapAsAFile() throws IOException {
    XdsBootstrap built =
        XdsBootstrap.builder()
            .nodeId("n")
            .server(ServerConfig.insecure("x:1"))
            .authority("a", Authority.of(ServerConfig.insecure("x:2")))
            .build();

    XdsBootstrap read =
        XdsBootstrap.fromFile(
            write(
                """
                {
                  "node": {"id": "n"},
                  "xds_servers": [{"server_uri": "x:1", "channel_creds": [{"type": "insecure"}]}],
                  "authorities": {"a": {"xds_servers": [
                    {"server_uri": "x:2", "channel_creds": [{"type": "insecure"}]}
                  ]}}
                }
                """));
    assertThat(built).isEqualTo(read);
  }

  @Test
  void codeIsCheckedLikeAFile() {
    assertThatExceptionOfType(BootstrapException.class)
        .isThrownBy(() -> XdsBootstrap.builder().build())
        .withMessage("bootstrap code: xds_servers: missing (expected: at least one server)");
    assertThatExceptionOfType(BootstrapException.class)
        .isThrownBy(
            () ->
                XdsBootstrap.builder()
                    .server(ServerConfig.insecure(""))
                    .server(server("pigeon", Map.of()))
                    .server(server("tls", Map.of("certificate_file", "/c")))
                    .authority("a", new Authority(java.util.List.of(), false, "xdstp://b/%s"))
                    .build())
        .withMessageContaining("xds_servers[0].server_uri: empty")
        .withMessageContaining("xds_servers[1].channel_creds: [pigeon]")
        .withMessageContaining("xds_servers[2].channel_creds[0].config.private_key_file: missing")
        .withMessageContaining("authorities[\"a\"].client_listener_resource_name_template");
  }

  private static ServerConfig server(String credentials, Map<String, ?> config) {
    return new ServerConfig("x", new Credentials(credentials, config), Set.of());
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("bootstrap.json"), text);
  }

  private static String document(String server) {
    return """
        {"xds_servers": [{"server_uri": "%s", "channel_creds": [{"type": "insecure"}]}]}
        """
        .formatted(server);
  }
}
