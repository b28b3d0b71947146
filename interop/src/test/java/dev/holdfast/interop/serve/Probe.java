// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import java.util.Comparator;

/**
 * A request that can be asked for.
 *
 * @param secure whether it goes to the TLS port
 */
record Probe(String host, String path, boolean secure) implements Comparable<Probe> {
  private static final Comparator<Probe> ORDER =
      Comparator.comparing(Probe::host).thenComparing(Probe::path).thenComparing(Probe::secure);

  @Override
  public int compareTo(Probe other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return (secure ? "https://" : "http://") + host + path;
  }
}
