// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import dev.holdfast.xds.resources.matcher.StringMatcher;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Checks the certificate of a server as a cluster wants it (gRFC A29): by trusted certificates, and
 * by the names that it must have been issued for, if the cluster lists any. The host that was
 * connected to is not among them: endpoints are addresses that the control plane gave.
 */
final class ServerVerifier extends X509ExtendedTrustManager {
  private final X509TrustManager roots;
  private final String rootsName;
  private final List<StringMatcher> names;

  private ServerVerifier(X509TrustManager roots, String rootsName, List<StringMatcher> names) {
    this.roots = roots;
    this.rootsName = rootsName;
    this.names = List.copyOf(names);
  }

  /**
   * @param roots the trusted certificates; null for those of the system
   * @param rootsName where these come from, for error texts
   * @param names of which the server's certificate must match one; if there are none, any will do
   */
  static ServerVerifier create(
      @Nullable List<X509Certificate> roots, String rootsName, List<StringMatcher> names)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(roots == null ? null : store(roots));
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager found) {
        return new ServerVerifier(found, rootsName, names);
      }
    }
    throw new GeneralSecurityException("this JDK has no trust manager for X.509 certificates");
  }

  private static KeyStore store(List<X509Certificate> roots) throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < roots.size(); i++) {
        store.setCertificateEntry("root" + i, roots.get(i));
      }
      return store;
    } catch (IOException e) {
      throw new GeneralSecurityException("cannot make a key store", e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    try {
      roots.checkServerTrusted(chain, authType);
    } catch (CertificateException e) {
      throw new CertificateException(
          "the server's certificate "
              + subject(chain)
              + " is not valid by "
              + rootsName
              + ": "
              + TlsFailures.innermost(e),
          e);
    }
    if (names.isEmpty()) {
      return;
    }
    SubjectAltNames found = SubjectAltNames.of(chain[0]);
    if (!found.matchAny(names)) {
      throw new CertificateException(
          "the server's certificate "
              + subject(chain)
              + " is for "
              + found.describe()
              + " (expected: a name that matches "
              + names
              + ")");
    }
  }

  private static String subject(X509Certificate[] chain) {
    return chain.length == 0 ? "(none)" : "\"" + chain[0].getSubjectX500Principal() + "\"";
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("this is the client's side of a connection");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return roots.getAcceptedIssuers();
  }
}
