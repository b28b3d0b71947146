// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A private key, whose content is only available by {@link #reveal}, never by {@code toString}. */
public final class PrivateKeyPem {
  private final byte[] pem;

  PrivateKeyPem(byte[] pem) {
    this.pem = pem.clone();
  }

  /** The key itself, only for sending it to proxies. */
  public byte[] reveal() {
    return pem.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PrivateKeyPem key && Arrays.equals(pem, key.pem);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(pem);
  }

  @Override
  public String toString() {
    return "private key (not shown)";
  }
}
