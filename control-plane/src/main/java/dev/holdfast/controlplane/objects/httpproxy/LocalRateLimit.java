// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A limit that each proxy applies on its own. */
public record LocalRateLimit(
    long requests,
    Unit unit,
    long burst,
    int responseStatusCode,
    List<HeaderValue> responseHeadersToAdd) {
  private static final long UINT32_MAX = 0xffff_ffffL;

  /** Envoy's limit. */
  private static final int MAX_HEADERS = 10;

  private static final Set<Integer> KNOWN_STATUS_CODES =
      Stream.of(
              IntStream.rangeClosed(400, 417),
              IntStream.of(421, 422, 423, 424, 426, 428, 429, 431),
              IntStream.rangeClosed(500, 508),
              IntStream.of(510, 511))
          .flatMap(IntStream::boxed)
          .collect(Collectors.toUnmodifiableSet());

  /** The interval in which requests are counted. */
  public enum Unit implements EnumWord {
    SECOND,
    MINUTE,
    HOUR;

    @Override
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static LocalRateLimit decode(Fields fields) {
    LocalRateLimit limit =
        new LocalRateLimit(
            fields.requiredInteger("requests", 1, UINT32_MAX),
            fields.requiredEnumValue("unit", Unit.SECOND),
            fields.integer("burst", 0, UINT32_MAX, 0),
            (int) fields.integer("responseStatusCode", 400, 599, 429),
            fields.groups("responseHeadersToAdd", LocalRateLimit::responseHeader));
    if (!KNOWN_STATUS_CODES.contains(limit.responseStatusCode())) {
      fields.invalid(
          "responseStatusCode",
          limit.responseStatusCode() + " (expected: a status that Envoy knows, such as 429)");
    }
    if (limit.requests() + limit.burst() > UINT32_MAX) {
      fields.invalid(
          "burst",
          limit.burst() + " (expected: together with requests at most " + UINT32_MAX + ")");
    }
    if (limit.responseHeadersToAdd().size() > MAX_HEADERS) {
      fields.invalid(
          "responseHeadersToAdd",
          limit.responseHeadersToAdd().size() + " headers (expected: at most " + MAX_HEADERS + ")");
    }
    return limit;
  }

  private static HeaderValue responseHeader(Fields fields) {
    HeaderValue header = HeaderValue.decode(fields);
    if (header.name().equalsIgnoreCase("host")) {
      fields.invalid("name", "Host (expected: another header; responses have no Host)");
    }
    return header;
  }
}
