// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import com.google.protobuf.ByteString;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What a real Envoy was seen to refuse in these stories, and the fake one has to be told of. */
final class Refusals {
  private static final String MUST_STAPLE = "1.3.6.1.5.5.7.1.24";

  private Refusals() {}

  static EnvoyOptions addTo(EnvoyOptions options) {
    return options
        .withValidator(Validator.on(Secret.class, Refusals::mustStaple))
        .withValidator(Validator.on(Secret.class, Refusals::noSuchDay))
        .withValidator(Validator.on(Cluster.class, Refusals::ringHash));
  }

  /** An authority whose certificate ends on a day that there is not. */
  private static @Nullable String noSuchDay(Secret secret) {
    String pem = secret.getValidationContext().getTrustedCa().getInlineBytes().toStringUtf8();
    return !pem.isEmpty() && der(pem).contains("0230000000Z")
        ? "Failed to load trusted CA certificates from <inline>"
        : null;
  }

  private static String der(String pem) {
    String body = pem.replaceAll("-----[A-Z ]+-----", "");
    return new String(Base64.getMimeDecoder().decode(body), StandardCharsets.ISO_8859_1);
  }

  /** See {@link Peer#WITHOUT_RING_HASH}. */
  private static @Nullable String ringHash(Cluster cluster) {
    return cluster.getLbPolicy() == Cluster.LbPolicy.RING_HASH
        ? "Didn't find a registered load balancer factory implementation for cluster: '%s'"
            .formatted(cluster.getName())
        : null;
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
