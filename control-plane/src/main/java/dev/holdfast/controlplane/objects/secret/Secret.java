// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.TypedObject;
import org.jspecify.annotations.Nullable;

/**
 * Certificates.
 *
 * @param tls what a server shows; null if the secret is not of type kubernetes.io/tls
 * @param ca whom to trust; null if there is no ca.crt
 */
public record Secret(ObjectKey key, @Nullable KeyPair tls, @Nullable CertificateChain ca)
    implements TypedObject {
  public static final String API_VERSION = "v1";
  public static final String KIND = "Secret";
  static final String CERTIFICATE = "tls.crt";
  static final String PRIVATE_KEY = "tls.key";
  static final String CA = "ca.crt";
  private static final String TLS_TYPE = "kubernetes.io/tls";

  /** What a server shows, and how it proves that it may. */
  public record KeyPair(CertificateChain chain, PrivateKeyPem key) {}

  /** What the secret holds that Holdfast cares for. */
  public record Body(@Nullable KeyPair tls, @Nullable CertificateChain ca) {}

  public static Secret decode(ConfigObject object, DecodingContext reading) {
    Body body = reading.read(object.body(), Secret::body);
    return new Secret(object.key(), body.tls(), body.ca());
  }

  /** The fields of the object next to its metadata. */
  public static Body body(Fields fields) {
    String type = fields.textOrEmpty("type", TextRules.ANY);
    SecretData data = SecretData.read(fields);
    fields.unused("immutable");
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
    String weak = KeyCheck.weakness(chain.leaf());
    if (weak != null) {
      data.invalid(CERTIFICATE, weak);
      return null;
    }
    String problem = KeyCheck.problem(keyPem, chain.leaf());
    if (problem != null) {
      data.invalid(PRIVATE_KEY, problem);
      return null;
    }
    return new KeyPair(chain, new PrivateKeyPem(keyPem));
  }
}
