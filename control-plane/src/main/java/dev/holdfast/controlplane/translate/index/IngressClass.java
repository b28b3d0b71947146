// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which objects are for this control plane, where several share a cluster. */
final class IngressClass {
  /** What objects say that are for whoever takes them; the last is what Contour's users write. */
  private static final Set<String> ANYBODY = Set.of("", "holdfast", "contour");

  private IngressClass() {}

  /**
   * @param configured null if this control plane answers to no name of its own
   * @param written empty if the object's author named none
   */
  static boolean matches(@Nullable String configured, String written) {
    return configured == null ? ANYBODY.contains(written) : configured.equals(written);
  }
}
