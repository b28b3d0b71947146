// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;

/**
 * An include of the routes of another proxy.
 *
 * @param namespace of the other proxy
 */
public record Include(String namespace, String name, Conditions conditions) {
  static Include decode(Fields fields) {
    return new Include(
        fields.textOrEmpty("namespace", TextRules.NAMESPACE),
        fields.requiredText("name", TextRules.NAME),
        Conditions.ofInclude(fields));
  }

  Include withDefaultNamespace(String ownNamespace) {
    return namespace.isEmpty() ? new Include(ownNamespace, name, conditions) : this;
  }
}
