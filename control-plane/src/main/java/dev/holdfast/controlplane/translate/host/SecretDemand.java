// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.check.References.Use;

/** A secret that a host or cluster needs, and for which use. */
public record SecretDemand(ObjectKey secret, Use use) implements Comparable<SecretDemand> {
  public ResourceId id() {
    return use == Use.SERVER
        ? ResourceNames.serverCertificate(secret)
        : ResourceNames.authority(secret);
  }

  @Override
  public int compareTo(SecretDemand other) {
    int order = secret.compareTo(other.secret);
    return order == 0 ? use.compareTo(other.use) : order;
  }
}
