// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.controlplane.objects.secret.Secret;
import org.jspecify.annotations.Nullable;

/**
 * What a secret can be used for. Its content is not part of this fact, so that a renewed
 * certificate does not affect objects that refer to the secret by name.
 *
 * @param server whether it holds a server certificate with its key
 * @param authority whether it holds certificates of authorities to trust
 * @param revoking whether it holds lists of revoked certificates
 */
public record SecretUse(Presence presence, boolean server, boolean authority, boolean revoking) {
  static SecretUse of(@Nullable IndexedObject indexed) {
    return indexed != null && indexed.typed() instanceof Secret secret
        ? new SecretUse(Presence.VALID, secret.server(), secret.authority(), secret.revoking())
        : new SecretUse(
            Presence.of(indexed),
            /* server= */ false,
            /* authority= */ false,
            /* revoking= */ false);
  }
}
