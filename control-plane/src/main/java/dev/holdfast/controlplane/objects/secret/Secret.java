// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.objects.read.DecodingContext;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Secret with certificates.
 *
 * @param server whether it is a server certificate with its key
 * @param authority whether it has authorities to trust
 * @param revoking whether it has lists of revoked certificates
 * @param tls the server certificate with its key; null if it is none, or is not known
 * @param ca the authorities to trust; null if there are none, or they are not known
 * @param revocations null if there are none, or they are not known
 */
public record Secret(
    ObjectKey key,
    boolean server,
    boolean authority,
    boolean revoking,
    @Nullable KeyPair tls,
    @Nullable CertificateChain ca,
    @Nullable RevocationLists revocations)
    implements TypedObject {
  public static final String API_VERSION = "v1";
  public static final String KIND = "Secret";
  static final String CERTIFICATE = "tls.crt";
  static final String PRIVATE_KEY = "tls.key";
  static final String CA = "ca.crt";
  static final String CRL = "crl.pem";
  private static final String TLS_TYPE = "kubernetes.io/tls";

  /** A certificate chain with its private key. */
  public record KeyPair(CertificateChain chain, PrivateKeyPem key) {}

  /** The entries of the secret that Holdfast uses. */
  public record Body(
      @Nullable KeyPair tls,
      @Nullable CertificateChain ca,
      @Nullable RevocationLists revocations) {}

  public static Secret decode(ConfigObject object, DecodingContext context) {
    if (AcceptedSpec.isWithoutContent(object)) {
      return withoutContent(object);
    }
    Body body = context.read(object.body(), Secret::body);
    return new Secret(
        object.key(),
        body.tls() != null,
        body.ca() != null,
        body.revocations() != null,
        body.tls(),
        body.ca(),
        body.revocations());
  }

  /**
   * A generation that proxies hold, and whose content is not known here: content is never stored.
   * What refers to it stays as it is, and nobody is sent anything for it.
   */
  private static Secret withoutContent(ConfigObject object) {
    Set<String> entries = new HashSet<>();
    if (object.body().get(AcceptedSpec.ENTRIES) instanceof Sequence names) {
      for (Value value : names.elements()) {
        if (value instanceof Scalar scalar && scalar.value() instanceof String name) {
          entries.add(name);
        }
      }
    }
    boolean tls = object.body().get("type") instanceof Scalar type && TLS_TYPE.equals(type.value());
    return new Secret(
        object.key(), tls, entries.contains(CA), entries.contains(CRL), null, null, null);
  }

  /** Decodes the fields next to the metadata. */
  public static Body body(Fields fields) {
    String type = fields.textOrEmpty("type", TextRules.ANY);
    SecretData data = SecretData.read(fields);
    fields.ignore("immutable");
    KeyPair tls = type.equals(TLS_TYPE) ? keyPair(data) : null;
    return new Body(tls, data.chain(CA), data.revocations(CRL));
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
