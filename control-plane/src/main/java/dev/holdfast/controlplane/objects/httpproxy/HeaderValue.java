// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.nio.charset.StandardCharsets;

/** A header to set or add. */
public record HeaderValue(String name, String value) {
  /** Envoy's limit, in bytes. */
  private static final int MAX_LENGTH = 16_384;

  /**
   * The most that one percent sign can expand to: two of them delimit a variable, which may be the
   * name of a service.
   */
  private static final int MAX_EXPANSION = 127;

  static HeaderValue decode(Fields fields) {
    HeaderValue header =
        new HeaderValue(
            fields.requiredText("name", TextRules.TOKEN_NAME),
            fields.textOrEmpty("value", TextRules.HEADER_VALUE));
    long bytes = header.longest();
    if (bytes > MAX_LENGTH) {
      fields.invalid(
          "value", bytes + " bytes with its variables (expected: at most " + MAX_LENGTH + ")");
    }
    return header;
  }

  private long longest() {
    long percentSigns = value.chars().filter(c -> c == '%').count();
    return value.getBytes(StandardCharsets.UTF_8).length + percentSigns * MAX_EXPANSION;
  }
}
