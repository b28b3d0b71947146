// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import dev.holdfast.testkit.TestCa;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What secures connections: a certificate for servers, and files that clients trust it by. */
final class MeshCertificates {
  /** The provider of the bootstraps. */
  static final String PROVIDER = "mesh";

  private static final TestCa CA = TestCa.create("benchmark");

  private MeshCertificates() {}

  static ServerCredentials server() {
    TestCa.Identity identity = CA.issueFor("backend", "backend.example.com");
    try {
      return TlsServerCredentials.create(
          stream(identity.certificatePem()), stream(identity.privateKeyPem()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream stream(String pem) {
    return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
  }

  /** The settings of the provider. All files are gone with this process. */
  static Map<String, String> files() {
    // grpc-xds wants a certificate of the client, too, though nobody asks for it.
    TestCa.Identity client = CA.issueFor("client", "client.example.com");
    return Map.of(
        "ca_certificate_file", file(CA.certificatePem()),
        "certificate_file", file(client.certificatePem()),
        "private_key_file", file(client.privateKeyPem()));
  }

  private static String file(String pem) {
    try {
      Path file = Files.createTempFile("benchmark", ".pem");
      file.toFile().deleteOnExit();
      return Files.writeString(file, pem).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
