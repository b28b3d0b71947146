// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.DecodedObject;
import dev.holdfast.controlplane.objects.ObjectKind;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.secret.TlsCertificateDelegation;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.translate.TranslatedObject;

/** How an object can be in force although no resource contains any of it. */
enum ResourcelessUse {
  /** It is not. */
  NONE,
  /** It permits the use of a Secret that is in use. */
  PERMISSION,
  /**
   * It is a Secret whose content is not known any more since the control plane restarted, because
   * its file cannot be read, or says something that cannot be used. Proxies keep what they have.
   */
  KNOWN_TO_PROXIES;

  /** How the accepted generation of an object is used. */
  static ResourcelessUse of(ObjectKey key, Rollout rollout) {
    boolean mayBe =
        key.kind().equals(Secret.KIND) || key.kind().equals(TlsCertificateDelegation.KIND);
    ConfigObject served = mayBe ? rollout.servedObject(key) : null;
    if (served == null) {
      return NONE;
    }
    if (AcceptedSpec.isWithoutContent(served)) {
      return KNOWN_TO_PROXIES;
    }
    return permits(served, rollout) ? PERMISSION : NONE;
  }

  private static boolean permits(ConfigObject object, Rollout rollout) {
    return object.key().kind().equals(TlsCertificateDelegation.KIND)
        && ObjectKind.decode(object) instanceof DecodedObject.Valid valid
        && valid.object() instanceof TlsCertificateDelegation delegation
        && delegation.delegations().stream()
            .map(each -> new ObjectKey(Secret.KIND, object.key().namespace(), each.secretName()))
            .anyMatch(secret -> isInUse(secret, rollout));
  }

  private static boolean isInUse(ObjectKey secret, Rollout rollout) {
    TranslatedObject served = rollout.baseline().objects().get(secret);
    return served != null
        && (!served.footprint().isEmpty() || of(secret, rollout) == KNOWN_TO_PROXIES);
  }
}
