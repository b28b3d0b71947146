// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the port of proxies is secured.
 *
 * @param refused how many clients were not let in since the start, by reason
 * @param certificateEnd when the certificate expires; null without TLS
 */
public record SecurityReport(SortedMap<String, Long> refused, @Nullable Instant certificateEnd) {
  public static final SecurityReport NONE = new SecurityReport(new TreeMap<>(), null);

  public SecurityReport {
    refused = Collections.unmodifiableSortedMap(new TreeMap<>(refused));
  }
}
