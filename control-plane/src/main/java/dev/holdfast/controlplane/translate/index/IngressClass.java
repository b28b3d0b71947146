// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import java.util.Set;

/**
 * Decides which objects are for this control plane, where several control planes share a cluster.
 */
final class IngressClass {
  /**
   * The classes of objects that any control plane may serve; the last is the one that users of
   * Contour write.
   */
  private static final Set<String> DEFAULT_CLASSES = Set.of("", "holdfast", "contour");

  private IngressClass() {}

  /**
   * @param configured the classes of this control plane; none for the default ones
   * @param written the class that the object names; empty if it names none
   */
  static boolean matches(Set<String> configured, String written) {
    return (configured.isEmpty() ? DEFAULT_CLASSES : configured).contains(written);
  }
}
