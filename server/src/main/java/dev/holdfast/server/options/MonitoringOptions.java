// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one place says for those who watch over the server; null is what it does not say.
 *
 * @param expectedProxies how many proxies there should be, by the cluster that their nodes name;
 *     {@code all} is for all together
 * @param traceEndpoint the collector that traces of changes are sent to
 */
public record MonitoringOptions(
    @Nullable SortedMap<String, Integer> expectedProxies, @Nullable URI traceEndpoint) {
  private static final int MOST_FLEETS = 100;
  private static final int MOST_PROXIES = 1_000_000;
  private static final String FORM = " (expected: FLEET=NUMBER, separated by commas)";

  public MonitoringOptions {
    expectedProxies =
        expectedProxies == null
            ? null
            : Collections.unmodifiableSortedMap(new TreeMap<>(expectedProxies));
  }

  /** Says nothing. */
  public static MonitoringOptions none() {
    return new MonitoringOptions(null, null);
  }

  /** What this says, and for the rest what another place says. */
  MonitoringOptions orElse(MonitoringOptions other) {
    return new MonitoringOptions(
        expectedProxies == null ? other.expectedProxies : expectedProxies,
        traceEndpoint == null ? other.traceEndpoint : traceEndpoint);
  }

  /** How many proxies there should be; empty if nobody said. */
  public SortedMap<String, Integer> expected() {
    return expectedProxies == null ? Collections.emptySortedMap() : expectedProxies;
  }

  /**
   * Such as {@code edge=20,all=25}.
   *
   * @throws IllegalArgumentException if it cannot be understood
   */
  public static SortedMap<String, Integer> expectedProxies(String text) {
    SortedMap<String, Integer> expected = new TreeMap<>();
    for (String each : text.split(",", -1)) {
      int equals = each.lastIndexOf('=');
      String fleet = equals < 0 ? "" : each.substring(0, equals).strip();
      String number = each.substring(equals + 1).strip();
      if (fleet.isEmpty() || !number.matches("[0-9]{1,7}")) {
        throw new IllegalArgumentException("'" + each.strip() + "'" + FORM);
      }
      int proxies = Integer.parseInt(number);
      if (proxies < 1 || proxies > MOST_PROXIES) {
        throw new IllegalArgumentException(
            fleet + ": " + proxies + " (expected: from 1 to " + MOST_PROXIES + ")");
      }
      if (expected.put(fleet, proxies) != null) {
        throw new IllegalArgumentException(fleet + ": twice (expected: each fleet once)");
      }
    }
    if (expected.size() > MOST_FLEETS) {
      throw new IllegalArgumentException(
          expected.size() + " fleets (expected: at most " + MOST_FLEETS + ")");
    }
    return expected;
  }

  /**
   * Such as {@code http://otel:4318}.
   *
   * @throws IllegalArgumentException if it is no address of a collector
   */
  public static URI endpoint(String text) {
    try {
      URI uri = new URI(text);
      String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
      boolean isHttp = scheme.equals("http") || scheme.equals("https");
      if (isHttp && uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Told below, in the same words.
    }
    throw new IllegalArgumentException(
        "'" + text + "' (expected: the URL of a collector, such as http://127.0.0.1:4318)");
  }
}
