// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate chain and the key of its first certificate.
 *
 * @param chain not empty
 */
public record KeyAndChain(PrivateKey key, List<X509Certificate> chain) {
  public KeyAndChain {
    chain = List.copyOf(chain);
  }

  /** The certificate that the key belongs to. */
  public X509Certificate certificate() {
    return chain.get(0);
  }

  @Override
  public String toString() {
    return certificate().getSubjectX500Principal().toString(); // the key is nobody's business
  }
}
