// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import dev.holdfast.server.options.XdsSecurity;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.testkit.TestCa;
import io.grpc.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * gRPC clients that show a certificate to the control plane: foreign ones and our own. That of
 * grpc-js has no TLS to xDS servers.
 */
class ClientCertificateClientsTest {
  private static final String HOST = "shop.example.com";

  private static @TempDir Path directory;
  private static Server backend;
  private static Plane plane;

  @BeforeAll
  static void start() throws IOException {
    TestCa ca = TestCa.create("ours");
    ca.writeTo(directory);
    ca.issue("server").writeTo(directory);
    ca.issueFor("client", "spiffe://test/shop")
        .writeTo(Files.createDirectory(directory.resolve("client")));
    backend = AnyMethod.start();
    plane =
        Plane.start(
            new XdsSecurity(
                new TlsFiles(
                    directory.resolve("cert.pem"),
                    directory.resolve("key.pem"),
                    directory.resolve("ca.pem"),
                    null)),
            "services.yaml",
            Yaml.service("good", backend.getPort()),
            "shop.yaml",
            Yaml.root(
                "shop",
                HOST,
                """
                routes:
                - services: [{name: good, port: 80, protocol: h2c}]
                """));
  }

  @AfterAll
  static void stop() {
    plane.close();
    backend.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"python", "go", "java", "holdfast"})
  void aClientWithACertificateIsServed(String language) {
    try (Caller client = start(language)) {
      assertThat(client.call("/shop.Cart/Get")).isEqualTo("OK served");
    }
  }

  @Test
  void oneWithoutIsNot() {
    String bootstrap =
        ForeignClient.bootstrap(plane.xdsPort(), "--ca", directory.resolve("ca.pem").toString());
    try (Caller client = new OurClient(HOST, bootstrap)) {
      assertThat(client.call("/shop.Cart/Get")).startsWith("UNAVAILABLE");
    }
  }

  private static Caller start(String language) {
    String authority = directory.resolve("ca.pem").toString();
    String certificate = directory.resolve("client/cert.pem").toString();
    String key = directory.resolve("client/key.pem").toString();
    if (language.equals("java")) {
      return new JavaClient(
          HOST,
          plane.xdsPort(),
          Map.of(
              "type",
              FileCredentials.NAME,
              "config",
              Map.of(
                  "ca_certificate_file",
                  authority,
                  "certificate_file",
                  certificate,
                  "private_key_file",
                  key)));
    }
    String bootstrap =
        ForeignClient.bootstrap(
            plane.xdsPort(), "--ca", authority, "--certificate", certificate, "--key", key);
    return language.equals("holdfast")
        ? new OurClient(HOST, bootstrap)
        : ForeignClient.start(language, HOST, bootstrap, directory);
  }
}
