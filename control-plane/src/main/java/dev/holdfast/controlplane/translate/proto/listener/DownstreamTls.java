// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.httpproxy.Tls.ClientValidation;
import org.jspecify.annotations.Nullable;

/**
 * TLS settings of a host.
 *
 * @param certificate the name of the SDS secret with the server certificate
 * @param clients null if clients need no certificate
 */
public record DownstreamTls(
    String certificate, Tls.Version minimum, Tls.Version maximum, @Nullable Clients clients) {
  /**
   * How client certificates are validated.
   *
   * @param authority the name of the SDS secret with the authorities to trust; null if the
   *     certificate is not validated
   * @param crlLeafOnly whether only the client's own certificate is looked up in revocation lists
   * @param forward null if services are not told of the certificate
   */
  public record Clients(
      @Nullable String authority,
      ClientValidation.Mode mode,
      Certificate certificate,
      boolean crlLeafOnly,
      ClientValidation.@Nullable Forward forward) {
    /** Whether a client must have a certificate. */
    public enum Certificate {
      REQUIRED,
      OPTIONAL
    }

    /** The client validation of an HTTPProxy. */
    public static Clients of(ClientValidation validation, @Nullable String authority) {
      return new Clients(
          authority,
          validation.mode(),
          validation.optional() ? Certificate.OPTIONAL : Certificate.REQUIRED,
          validation.crlLeafOnly(),
          validation.forward());
    }
  }
}
