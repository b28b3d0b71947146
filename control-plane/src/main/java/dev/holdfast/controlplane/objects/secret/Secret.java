// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.TypedObject;
import org.jspecify.annotations.Nullable;

/**
 * A Secret with certificates.
 *
 * @param tls the server certificate with its key; null if the secret is not of type
 *     kubernetes.io/tls
 * @param ca the authorities to trust; null if there is no ca.crt
 * @param withoutContent whether it was restored without its content: hosts may refer to it, because
 *     proxies may hold it, but it cannot be sent
 */
public record Secret(
    ObjectKey key, @Nullable KeyPair tls, @Nullable CertificateChain ca, boolean withoutContent)
    implements TypedObject {
  public static final String API_VERSION = "v1";
  public static final String KIND = "Secret";
  static final String CERTIFICATE = "tls.crt";
  static final String PRIVATE_KEY = "tls.key";
  static final String CA = "ca.crt";
  private static final String TLS_TYPE = "kubernetes.io/tls";

  /** A certificate chain with its private key. */
  public record KeyPair(CertificateChain chain, PrivateKeyPem key) {}

  /** The entries of the secret that Holdfast uses. */
  public record Body(@Nullable KeyPair tls, @Nullable CertificateChain ca) {}

  public static Secret decode(ConfigObject object, DecodingContext context) {
    if (AcceptedSpec.isWithoutContent(object)) {
      return new Secret(object.key(), null, null, /* withoutContent= */ true);
    }
    Body body = context.read(object.body(), Secret::body);
    return new Secret(object.key(), body.tls(), body.ca(), /* withoutContent= */ false);
  }

  /** Decodes the fields next to the metadata. */
  public static Body body(Fields fields) {
    String type = fields.textOrEmpty("type", TextRules.ANY);
    SecretData data = SecretData.read(fields);
    fields.ignore("immutable");
    KeyPair tls = type.equals(TLS_TYPE) ? keyPair(data) : null;
    return new Body(tls, data.chain(CA));
  }

  private static @Nullable KeyPair keyPair(SecretData data) {
    data.require(CERTIFICATE);
    data.require(PRIVATE_KEY);
    CertificateChain chain = data.chain(CERTIFICATE);
    byte[] keyPem = data.bytes(PRIVATE_KEY);
    if (chain == null || keyPem == null) {
      return null;
    }
    String certificateProblem = KeyCheck.certificateProblem(chain.leaf());
    if (certificateProblem != null) {
      data.invalid(CERTIFICATE, certificateProblem);
      return null;
    }
    String keyProblem = KeyCheck.keyProblem(keyPem, chain.leaf());
    if (keyProblem != null) {
      data.invalid(PRIVATE_KEY, keyProblem);
      return null;
    }
    return new KeyPair(chain, new PrivateKeyPem(keyPem));
  }
}
