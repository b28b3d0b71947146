// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.translate.index.BackendTls;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about certificates and TLS of all objects; null is what it does not say.
 *
 * @param fallbackCertificate for clients that name no host in TLS, or an unknown one
 * @param clientCertificate what proxies show to services
 * @param minimum the lowest TLS version between proxies and services
 * @param maximum the highest one
 */
public record TlsOptions(
    @Nullable ObjectKey fallbackCertificate,
    @Nullable ObjectKey clientCertificate,
    Tls.@Nullable Version minimum,
    Tls.@Nullable Version maximum) {
  private static final TlsOptions NONE = new TlsOptions(null, null, null, null);

  /** Says nothing. */
  public static TlsOptions none() {
    return NONE;
  }

  TlsOptions orElse(TlsOptions other) {
    return new TlsOptions(
        fallbackCertificate == null ? other.fallbackCertificate : fallbackCertificate,
        clientCertificate == null ? other.clientCertificate : clientCertificate,
        minimum == null ? other.minimum : minimum,
        maximum == null ? other.maximum : maximum);
  }

  /** TLS between proxies and services, with defaults for what nobody says. */
  BackendTls backend() {
    return new BackendTls(
        clientCertificate,
        minimum == null ? BackendTls.DEFAULT.minimum() : minimum,
        maximum == null ? BackendTls.DEFAULT.maximum() : maximum);
  }

  /**
   * The Secret that {@code NAMESPACE/NAME} is.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ObjectKey secret(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || !TextRules.SECRET_REFERENCE.accepts().test(text)) {
      throw new IllegalArgumentException("'" + text + "' (expected: NAMESPACE/NAME)");
    }
    return new ObjectKey(Secret.KIND, text.substring(0, slash), text.substring(slash + 1));
  }

  /**
   * @throws IllegalArgumentException if it is none
   */
  static Tls.Version version(String text) {
    for (Tls.Version each : Tls.Version.values()) {
      if (each.word().equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException("'" + text + "' (expected: 1.2 or 1.3)");
  }
}
