// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A secret that a host or cluster needs, and for which use.
 *
 * @param revocations the secret with the certificates that do not count although an authority
 *     signed them; null if there is none
 */
public record SecretDemand(ObjectKey secret, Use use, @Nullable ObjectKey revocations)
    implements Comparable<SecretDemand> {
  private static final Comparator<SecretDemand> ORDER =
      Comparator.comparing(SecretDemand::secret)
          .thenComparing(SecretDemand::use)
          .thenComparing(
              SecretDemand::revocations, Comparator.nullsFirst(Comparator.naturalOrder()));

  /** What a proxy does with it. */
  public enum Use {
    /** Shows it to clients, or to services. */
    SERVER,
    /** Believes whom it has signed. */
    AUTHORITY
  }

  /** A server certificate with its key. */
  public static SecretDemand server(ObjectKey secret) {
    return new SecretDemand(secret, Use.SERVER, null);
  }

  /** Authorities to trust. */
  public static SecretDemand authority(ObjectKey secret) {
    return new SecretDemand(secret, Use.AUTHORITY, null);
  }

  /** Authorities to trust, except for what they have revoked. */
  public SecretDemand revoking(ObjectKey lists) {
    return new SecretDemand(secret, use, lists);
  }

  public ResourceId id() {
    if (use == Use.SERVER) {
      return ResourceNames.serverCertificate(secret);
    }
    return revocations == null
        ? ResourceNames.authority(secret)
        : ResourceNames.authority(secret, revocations);
  }

  @Override
  public int compareTo(SecretDemand other) {
    return ORDER.compare(this, other);
  }
}
