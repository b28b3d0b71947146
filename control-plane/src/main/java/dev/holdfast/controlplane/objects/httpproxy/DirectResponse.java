// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.nio.charset.StandardCharsets;

/** The proxy answers itself. */
public record DirectResponse(int statusCode, String body) implements Route.Action {
  /** Envoy refuses the whole route table over a longer one. */
  private static final int MOST_BYTES = 4096;

  static DirectResponse decode(Fields fields) {
    int statusCode = (int) fields.requiredWhole("statusCode", 200, 599);
    String body = fields.textOrEmpty("body", TextRules.ANY);
    int bytes = body.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      fields.invalid("body", bytes + " bytes (expected: at most " + MOST_BYTES + ")");
    }
    return new DirectResponse(statusCode, body);
  }
}
