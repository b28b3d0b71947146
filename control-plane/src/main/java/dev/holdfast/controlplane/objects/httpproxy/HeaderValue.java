// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.Texts;

/** A header to set or add. */
public record HeaderValue(String name, String value) {
  static HeaderValue decode(Fields fields) {
    return new HeaderValue(
        fields.requiredText("name", Texts.TOKEN_NAME),
        fields.textOrEmpty("value", Texts.HEADER_VALUE));
  }
}
