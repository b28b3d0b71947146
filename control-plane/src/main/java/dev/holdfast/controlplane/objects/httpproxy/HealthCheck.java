// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An active health check of endpoints. */
public record HealthCheck(
    String path,
    String host,
    int intervalSeconds,
    int timeoutSeconds,
    int unhealthyThreshold,
    int healthyThreshold,
    List<StatusRange> expectedStatuses) {
  private static final String DEFAULT_HOST = "contour-envoy-healthcheck";

  /** A range of statuses that count as healthy; the end is exclusive. */
  public record StatusRange(int start, int end) {
    static StatusRange decode(Fields fields) {
      long start = fields.requiredInteger("start", 100, 599);
      long end = fields.requiredInteger("end", 101, 600);
      if (fields.has("start") && fields.has("end") && start >= end) {
        fields.invalid("end", end + " (expected: more than start, " + start + ")");
      }
      return new StatusRange((int) start, (int) end);
    }
  }

  static HealthCheck decode(Fields fields) {
    return new HealthCheck(
        fields.requiredText("path", TextRules.PATH),
        orDefault(fields.text("host", TextRules.HEADER_VALUE)),
        seconds(fields, "intervalSeconds", 10),
        seconds(fields, "timeoutSeconds", 2),
        seconds(fields, "unhealthyThresholdCount", 3),
        seconds(fields, "healthyThresholdCount", 2),
        fields.groups("expectedStatuses", StatusRange::decode));
  }

  /** Decodes a health check that opens a TCP connection. */
  static HealthCheck ofTcp(Fields fields) {
    return new HealthCheck(
        "",
        "",
        seconds(fields, "intervalSeconds", 10),
        seconds(fields, "timeoutSeconds", 2),
        seconds(fields, "unhealthyThresholdCount", 3),
        seconds(fields, "healthyThresholdCount", 2),
        List.of());
  }

  private static String orDefault(@Nullable String host) {
    return host == null || host.isEmpty() ? DEFAULT_HOST : host;
  }

  /** Zero counts as not set. */
  private static int seconds(Fields fields, String name, int fallback) {
    int number = (int) fields.integer(name, 0, Integer.MAX_VALUE, fallback);
    return number == 0 ? fallback : number;
  }
}
