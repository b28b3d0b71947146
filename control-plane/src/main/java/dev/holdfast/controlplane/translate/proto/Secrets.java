// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.objects.secret.CertificateChain;
import dev.holdfast.controlplane.objects.secret.RevocationLists;
import dev.holdfast.controlplane.objects.secret.Secret.KeyPair;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.nio.charset.StandardCharsets;
import java.security.cert.CRLException;
import java.security.cert.X509CRL;
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

  /** The certificates of authorities to trust, and what they have revoked. */
  public static Secret authority(
      String name, CertificateChain authorities, RevocationLists revocations) {
    Secret.Builder secret = authority(name, authorities).toBuilder();
    secret.getValidationContextBuilder().setCrl(inline(pem(revocations)));
    return secret.build();
  }

  /** What authorities have revoked. */
  public static Secret revocations(String name, RevocationLists revocations) {
    Secret.Builder secret = Secret.newBuilder().setName(name);
    secret.getValidationContextBuilder().setCrl(inline(pem(revocations)));
    return secret.build();
  }

  private static DataSource inline(ByteString bytes) {
    return DataSource.newBuilder().setInlineBytes(bytes).build();
  }

  /** Encoded again, so that other content of the author's file is not sent to proxies. */
  private static ByteString pem(CertificateChain chain) {
    StringBuilder pem = new StringBuilder();
    chain.encoded().forEach(der -> append(pem, "CERTIFICATE", Base64.getDecoder().decode(der)));
    return ByteString.copyFromUtf8(pem.toString());
  }

  private static ByteString pem(RevocationLists revocations) {
    StringBuilder pem = new StringBuilder();
    revocations.lists().forEach(list -> append(pem, "X509 CRL", der(list)));
    return ByteString.copyFromUtf8(pem.toString());
  }

  private static void append(StringBuilder pem, String label, byte[] der) {
    pem.append("-----BEGIN ")
        .append(label)
        .append("-----\n")
        .append(PEM_LINES.encodeToString(der))
        .append("\n-----END ")
        .append(label)
        .append("-----\n");
  }

  private static byte[] der(X509CRL list) {
    try {
      return list.getEncoded();
    } catch (CRLException e) {
      throw new IllegalStateException("the secret was decoded before", e);
    }
  }
}
