// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.tls;

import dev.holdfast.controlplane.ads.access.ClientNames;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The names that a client has proved with its certificate. */
public final class CertificateNames {
  /** Kinds of names (RFC 5280, GeneralName). */
  private static final int DNS = 2;

  private static final int URI = 6;

  private CertificateNames() {}

  public static ClientNames of(@Nullable SSLSession session) {
    if (session == null) {
      return ClientNames.NONE;
    }
    try {
      Certificate[] chain = session.getPeerCertificates();
      return chain.length > 0 && chain[0] instanceof X509Certificate certificate
          ? of(certificate)
          : ClientNames.NONE;
    } catch (SSLPeerUnverifiedException | CertificateParsingException e) {
      return ClientNames.NONE;
    }
  }

  private static ClientNames of(X509Certificate certificate) throws CertificateParsingException {
    Collection<List<?>> all = certificate.getSubjectAlternativeNames();
    List<String> names = new ArrayList<>();
    for (int kind : new int[] {URI, DNS}) {
      for (List<?> name : all == null ? List.<List<?>>of() : all) {
        if (name.get(0).equals(kind)) {
          names.add(String.valueOf(name.get(1)));
        }
      }
    }
    return new ClientNames(names);
  }
}
