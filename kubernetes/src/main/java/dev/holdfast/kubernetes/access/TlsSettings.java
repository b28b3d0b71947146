// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.access;

import dev.holdfast.base.tls.PemTls;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The TLS part of an access. */
final class TlsSettings {
  private final byte @Nullable [] ca;
  private final boolean trustAnyone;
  private final byte @Nullable [] certificate;
  private final byte @Nullable [] key;

  /**
   * @param ca PEM certificates to trust; null for those that the JDK trusts
   * @param trustAnyone the author of the kubeconfig wants no check
   * @param certificate our own certificate chain, PEM; null if there is none
   * @param key its key, PEM; null if there is none
   */
  TlsSettings(
      byte @Nullable [] ca,
      boolean trustAnyone,
      byte @Nullable [] certificate,
      byte @Nullable [] key) {
    this.ca = ca;
    this.trustAnyone = trustAnyone;
    this.certificate = certificate;
    this.key = key;
  }

  static TlsSettings trusting(byte[] ca) {
    return new TlsSettings(ca, /* trustAnyone= */ false, null, null);
  }

  /** Null if the JDK's own settings do. */
  @Nullable SSLContext context() throws AccessException {
    if (ca == null && !trustAnyone && certificate == null) {
      return null;
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(), trust(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new AccessException(
          "certificates of the cluster: cannot be used: " + e.getMessage(), e);
    }
  }

  private TrustManager @Nullable [] trust() throws GeneralSecurityException, IOException {
    if (trustAnyone) {
      return new TrustManager[] {new NoCheck()};
    }
    if (ca == null) {
      return null;
    }
    return PemTls.trust(ca);
  }

  private KeyManager @Nullable [] keys() throws GeneralSecurityException, IOException {
    if (certificate == null || key == null) {
      return null;
    }
    return PemTls.keys(certificate, key);
  }

  /** For {@code insecure-skip-tls-verify}: checks neither the certificate nor its name. */
  private static final class NoCheck extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
