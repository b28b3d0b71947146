// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.nio.charset.StandardCharsets;

/** A response that the proxy sends itself. */
public record DirectResponse(int statusCode, String body) implements Route.Action {
  /** Envoy rejects the whole route table because of a longer body. */
  private static final int MAX_BYTES = 4096;

  static DirectResponse decode(Fields fields) {
    int statusCode = (int) fields.requiredInteger("statusCode", 200, 599);
    String body = fields.textOrEmpty("body", TextRules.ANY);
    int bytes = body.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      fields.invalid("body", bytes + " bytes (expected: at most " + MAX_BYTES + ")");
    }
    return new DirectResponse(statusCode, body);
  }
}
