// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Makes what the JDK's TLS takes of certificates and keys in PEM. */
public final class PemTls {
  private PemTls() {}

  /**
   * Trusts certificates that these have signed, and no others.
   *
   * @throws GeneralSecurityException if there is none among them
   */
  public static TrustManager[] trust(byte[] ca) throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    int count = 0;
    for (Certificate certificate : certificates(ca)) {
      store.setCertificateEntry("ca" + count++, certificate);
    }
    if (count == 0) {
      throw new GeneralSecurityException("no certificate (expected: PEM)");
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  /** Shows a certificate chain, of which we have the key. */
  public static KeyManager[] keys(byte[] certificate, byte[] key)
      throws GeneralSecurityException, IOException {
    PrivateKey privateKey = PemKey.read(key);
    KeyStore store = emptyStore();
    store.setKeyEntry(
        "client", privateKey, new char[0], certificates(certificate).toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static Collection<? extends Certificate> certificates(byte[] pem)
      throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem));
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
