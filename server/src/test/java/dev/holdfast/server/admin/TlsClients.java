// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.base.tls.KeyAndChain;
import dev.holdfast.base.tls.PemFiles;
import dev.holdfast.testkit.TestCa;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS of callers. */
final class TlsClients {
  private TlsClients() {}

  /** Of one that trusts an authority, and shows a certificate or none. */
  static SSLContext context(TestCa trusted, TestCa.@Nullable Identity identity) {
    try {
      Path directory = Files.createTempDirectory("holdfast-client");
      trusted.writeTo(directory);
      KeyStore authorities = store();
      authorities.setCertificateEntry("ca", PemFiles.certificates(directory.resolve("ca.pem"))[0]);
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(authorities);
      KeyStore keys = store();
      if (identity != null) {
        identity.writeTo(directory);
        KeyAndChain own =
            PemFiles.keyAndChain(directory.resolve("cert.pem"), directory.resolve("key.pem"));
        keys.setKeyEntry(
            "own", own.key(), new char[0], own.chain().toArray(X509Certificate[]::new));
      }
      KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
      own.init(keys, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static KeyStore store() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
