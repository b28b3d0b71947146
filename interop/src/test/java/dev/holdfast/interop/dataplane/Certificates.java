// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import dev.holdfast.testkit.TestCa;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Certificates for servers, and for clients in files. */
final class Certificates {
  private Certificates() {}

  /** A server that shows this, and looks at certificates of clients that have one of this CA. */
  static ServerCredentials server(TestCa.Identity identity, TestCa clients) {
    return server(identity, clients, TlsServerCredentials.ClientAuth.OPTIONAL);
  }

  static ServerCredentials server(
      TestCa.Identity identity, TestCa clients, TlsServerCredentials.ClientAuth clientAuth) {
    try {
      return TlsServerCredentials.newBuilder()
          .keyManager(stream(identity.certificatePem()), stream(identity.privateKeyPem()))
          .trustManager(stream(clients.certificatePem()))
          .clientAuth(clientAuth)
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The settings of a provider that watches the files in a directory. */
  static Map<String, String> watcher(Path directory) {
    return Map.of(
        "ca_certificate_file", directory.resolve("ca.pem").toString(),
        "certificate_file", directory.resolve("cert.pem").toString(),
        "private_key_file", directory.resolve("key.pem").toString(),
        "refresh_interval", "1s");
  }

  private static InputStream stream(String pem) {
    return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
  }
}
