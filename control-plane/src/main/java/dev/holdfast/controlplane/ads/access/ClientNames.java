// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.access;

import java.util.List;

/**
 * The names in the certificate that a client has shown.
 *
 * @param names its URI SANs, then its DNS SANs; empty if it has shown no certificate
 */
public record ClientNames(List<String> names) {
  /** Those of a client without a certificate. */
  public static final ClientNames NONE = new ClientNames(List.of());

  public ClientNames {
    names = List.copyOf(names);
  }

  @Override
  public String toString() {
    return names.isEmpty() ? "a client without a name in its certificate" : names.get(0);
  }
}
