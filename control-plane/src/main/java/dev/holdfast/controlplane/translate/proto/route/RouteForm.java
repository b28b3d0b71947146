// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.Conditions;
import org.jspecify.annotations.Nullable;

/**
 * One of the forms that a route takes.
 *
 * @param conditions what it matches, those of the includes among it
 * @param replacement what is put in place of the prefix that matched; null if the path stays
 * @param origin whether the author wrote the conditions
 */
public record RouteForm(Conditions conditions, @Nullable String replacement, Origin origin) {
  /** Where the conditions come from. */
  public enum Origin {
    WRITTEN,
    /** From those of the other form, which differ by a slash. */
    IMPLIED
  }
}
