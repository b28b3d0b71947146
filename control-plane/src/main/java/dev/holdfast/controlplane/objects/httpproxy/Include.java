// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;

/**
 * Routes of another proxy that are part of this one.
 *
 * @param namespace where the other one is
 */
public record Include(String namespace, String name, Conditions conditions) {
  static Include decode(Fields fields) {
    return new Include(
        fields.textOrEmpty("namespace", TextRules.NAMESPACE),
        fields.requiredText("name", TextRules.NAME),
        Conditions.ofInclude(fields));
  }

  Include in(String ownNamespace) {
    return namespace.isEmpty() ? new Include(ownNamespace, name, conditions) : this;
  }
}
