// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts clients with a certificate of one of some authorities that the authority has not revoked.
 * Revocation lists stay in force after the day on which the next one was due: an authority that is
 * late must not disconnect a fleet.
 */
final class ClientTrust extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager authorities;
  private final List<X509CRL> lists;

  private ClientTrust(X509ExtendedTrustManager authorities, List<X509CRL> lists) {
    this.authorities = authorities;
    this.lists = lists;
  }

  static ClientTrust of(List<X509Certificate> authorities, List<X509CRL> revoked)
      throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < authorities.size(); i++) {
        store.setCertificateEntry("ca" + i, authorities.get(i));
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager trust) {
          return new ClientTrust(trust, revoked);
        }
      }
      throw new GeneralSecurityException("this Java has no X.509 trust manager");
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  /**
   * A certificate that its authority has taken back. JSSE passes it on as the cause of a failed
   * handshake.
   */
  static final class RevokedException extends CertificateException {
    private static final long serialVersionUID = 1;

    RevokedException(X509Certificate certificate) {
      super("certificate " + certificate.getSerialNumber().toString(16) + " is revoked");
    }
  }

  /** The same check as in a handshake, for a client that is connected already. */
  void check(X509Certificate[] chain) throws CertificateException {
    authorities.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
    checkRevocation(chain);
  }

  private void checkRevocation(X509Certificate[] chain) throws RevokedException {
    for (X509Certificate certificate : chain) {
      for (X509CRL list : lists) {
        if (list.getIssuerX500Principal().equals(certificate.getIssuerX500Principal())
            && list.isRevoked(certificate)) {
          throw new RevokedException(certificate);
        }
      }
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    authorities.checkClientTrusted(chain, authType, engine);
    checkRevocation(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    authorities.checkClientTrusted(chain, authType, socket);
    checkRevocation(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    authorities.checkClientTrusted(chain, authType);
    checkRevocation(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("this is the trust of a server");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw new CertificateException("this is the trust of a server");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("this is the trust of a server");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities.getAcceptedIssuers();
  }
}
