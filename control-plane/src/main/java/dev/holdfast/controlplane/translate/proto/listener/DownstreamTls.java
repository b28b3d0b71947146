// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.httpproxy.Tls.ClientValidation;
import org.jspecify.annotations.Nullable;

/**
 * How a host does TLS.
 *
 * @param certificate the name of the secret (of SDS) with what the host shows
 * @param clients null if clients need not show anything
 */
public record DownstreamTls(
    String certificate, Tls.Version minimum, Tls.Version maximum, @Nullable Clients clients) {
  /**
   * How clients prove who they are.
   *
   * @param authority the name of the secret (of SDS) with the authorities to trust; null if the
   *     certificate is not checked
   */
  public record Clients(
      @Nullable String authority, ClientValidation.Mode mode, Certificate certificate) {
    /** Whether a client must have a certificate. */
    public enum Certificate {
      REQUIRED,
      OPTIONAL
    }

    /** What an HTTPProxy says of clients. */
    public static Clients of(ClientValidation validation, @Nullable String authority) {
      return new Clients(
          authority,
          validation.mode(),
          validation.optional() ? Certificate.OPTIONAL : Certificate.REQUIRED);
    }
  }
}
