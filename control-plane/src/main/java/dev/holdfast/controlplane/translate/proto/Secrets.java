// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.objects.secret.CertificateChain;
import dev.holdfast.controlplane.objects.secret.Secret.KeyPair;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** Certificates and keys as SDS secrets. */
public final class Secrets {
  private static final Base64.Encoder PEM_LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private Secrets() {}

  /** A server certificate with its private key. */
  public static Secret certificate(String name, KeyPair pair) {
    Secret.Builder secret = Secret.newBuilder().setName(name);
    secret
        .getTlsCertificateBuilder()
        .setCertificateChain(inline(pem(pair.chain())))
        .setPrivateKey(inline(ByteString.copyFrom(pair.key().reveal())));
    return secret.build();
  }

  /** The certificates of authorities to trust. */
  public static Secret authority(String name, CertificateChain authorities) {
    Secret.Builder secret = Secret.newBuilder().setName(name);
    secret.getValidationContextBuilder().setTrustedCa(inline(pem(authorities)));
    return secret.build();
  }

  private static DataSource inline(ByteString bytes) {
    return DataSource.newBuilder().setInlineBytes(bytes).build();
  }

  /** Encoded again, so that other content of the author's file is not sent to proxies. */
  private static ByteString pem(CertificateChain chain) {
    StringBuilder pem = new StringBuilder();
    for (X509Certificate certificate : chain.certificates()) {
      pem.append("-----BEGIN CERTIFICATE-----\n")
          .append(PEM_LINES.encodeToString(der(certificate)))
          .append("\n-----END CERTIFICATE-----\n");
    }
    return ByteString.copyFromUtf8(pem.toString());
  }

  private static byte[] der(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("it was decoded before", e);
    }
  }
}
