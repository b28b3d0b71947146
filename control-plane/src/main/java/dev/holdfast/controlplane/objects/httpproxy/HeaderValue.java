// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.nio.charset.StandardCharsets;

/** A header to set or add. */
public record HeaderValue(String name, String value) {
  /** What Envoy takes, in bytes. */
  private static final int LONGEST = 16_384;

  /** What a per cent sign can grow to: two of them make a variable, the name of a service. */
  private static final int LONGEST_PER_PERCENT_SIGN = 127;

  static HeaderValue decode(Fields fields) {
    HeaderValue header =
        new HeaderValue(
            fields.requiredText("name", TextRules.TOKEN_NAME),
            fields.textOrEmpty("value", TextRules.HEADER_VALUE));
    long bytes = header.longest();
    if (bytes > LONGEST) {
      fields.invalid(
          "value", bytes + " bytes with its variables (expected: at most " + LONGEST + ")");
    }
    return header;
  }

  private long longest() {
    long percentSigns = value.chars().filter(c -> c == '%').count();
    return value.getBytes(StandardCharsets.UTF_8).length + percentSigns * LONGEST_PER_PERCENT_SIGN;
  }
}
