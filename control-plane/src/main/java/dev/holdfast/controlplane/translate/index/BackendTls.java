// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import org.jspecify.annotations.Nullable;

/**
 * TLS between proxies and all services that use it.
 *
 * @param clientCertificate the secret with the certificate that proxies show to services; null if
 *     they show none
 */
public record BackendTls(
    @Nullable ObjectKey clientCertificate, Tls.Version minimum, Tls.Version maximum) {
  /** As Contour does it. */
  public static final BackendTls DEFAULT =
      new BackendTls(null, Tls.Version.TLS_1_2, Tls.Version.TLS_1_3);

  public BackendTls {
    if (minimum.compareTo(maximum) > 0) {
      throw new IllegalArgumentException(
          "minimum: "
              + minimum.word()
              + " (expected: not above the maximum, "
              + maximum.word()
              + ")");
    }
  }
}
