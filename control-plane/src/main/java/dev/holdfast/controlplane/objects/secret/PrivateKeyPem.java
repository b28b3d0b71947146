// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A private key, which shows itself to nobody who does not ask for it by name. */
public final class PrivateKeyPem {
  private final byte[] pem;

  PrivateKeyPem(byte[] pem) {
    this.pem = pem.clone();
  }

  /** The key itself, for the wire only. */
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
