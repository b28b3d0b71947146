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
public record Certificate(Presence presence, boolean server, boolean authority) {
  static Certificate of(@Nullable Input input) {
    return input != null && input.typed() instanceof Secret secret
        ? new Certificate(Presence.VALID, secret.tls() != null, secret.ca() != null)
        : new Certificate(Presence.of(input), /* server= */ false, /* authority= */ false);
  }
}
