// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import com.google.protobuf.ByteString;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/** What a real Envoy was seen to refuse in these stories, and the fake one has to be told of. */
final class Refusals {
  private static final String MUST_STAPLE = "1.3.6.1.5.5.7.1.24";

  private Refusals() {}

  static EnvoyOptions addTo(EnvoyOptions options) {
    return options.withValidator(Validator.on(Secret.class, Refusals::mustStaple));
  }

  /** A certificate that wants its revocation status to be shown with it, which nobody supplies. */
  private static @Nullable String mustStaple(Secret secret) {
    ByteString pem = secret.getTlsCertificate().getCertificateChain().getInlineBytes();
    if (pem.isEmpty()) {
      return null;
    }
    try {
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509").generateCertificate(pem.newInput());
      return certificate.getExtensionValue(MUST_STAPLE) == null
          ? null
          : "OCSP response is required for must-staple certificate";
    } catch (CertificateException e) {
      return null; // another validator's business
    }
  }
}
