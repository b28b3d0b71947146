// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.controlplane.objects.secret.Secret;
import org.jspecify.annotations.Nullable;

/**
 * What a secret is good for; not what is in it, so that a new certificate is no news to those who
 * use it by name.
 *
 * @param server whether it holds what a server shows
 * @param authority whether it holds whom to trust
 */
public record SecretUse(Presence presence, boolean server, boolean authority) {
  static SecretUse of(@Nullable IndexedObject input) {
    return input != null && input.typed() instanceof Secret secret
        ? new SecretUse(Presence.VALID, secret.tls() != null, secret.ca() != null)
        : new SecretUse(Presence.of(input), /* server= */ false, /* authority= */ false);
  }
}
