// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import dev.holdfast.base.tls.KeyAndChain;
import dev.holdfast.base.tls.PemFiles;
import dev.holdfast.cli.CommandException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS to the admin API, from PEM files. */
final class AdminTls {
  private static final char[] NO_PASSWORD = {};

  private AdminTls() {}

  /**
   * @param ca null for the authorities that Java trusts
   * @param certificate null to show none
   * @throws CommandException names the file that cannot be used
   */
  static SSLSocketFactory of(@Nullable Path ca, @Nullable Path certificate, @Nullable Path key) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(ca == null ? null : authorities(ca));
      KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
      own.init(
          certificate == null || key == null ? store() : identity(certificate, key), NO_PASSWORD);
      context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private static KeyStore authorities(Path file) throws GeneralSecurityException, IOException {
    KeyStore store = store();
    int number = 0;
    for (X509Certificate authority : PemFiles.certificates(file)) {
      store.setCertificateEntry("ca" + number++, authority);
    }
    return store;
  }

  private static KeyStore identity(Path certificate, Path key)
      throws GeneralSecurityException, IOException {
    KeyAndChain own = PemFiles.keyAndChain(certificate, key);
    KeyStore store = store();
    store.setKeyEntry("own", own.key(), NO_PASSWORD, own.chain().toArray(X509Certificate[]::new));
    return store;
  }

  private static KeyStore store() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
