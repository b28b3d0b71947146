// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import java.util.Set;
import org.jspecify.annotations.Nullable;

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
   * @param configured the class of this control plane; null if it has none
   * @param written the class that the object names; empty if it names none
   */
  static boolean matches(@Nullable String configured, String written) {
    return configured == null ? DEFAULT_CLASSES.contains(written) : configured.equals(written);
  }
}
