// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import dev.holdfast.controlplane.report.Distribution;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts of the responses of one type since the process started. */
public final class TypeStats {
  /** Bounds the counts: a proxy names its class itself and could invent any number. */
  private static final int MAX_CLASSES = 64;

  private static final String OTHERS = "others";

  private long responses;
  private long bytes;
  private long acks;
  private long nacks;
  private final SortedMap<String, Long> nacksByClass = new TreeMap<>();
  private final SortedMap<String, Long> unableByClass = new TreeMap<>();
  private final LatencyHistogram answers = LatencyHistogram.ofAnswerTimes();
  private long suppressed;

  public void sent(long size) {
    responses++;
    bytes += size;
  }

  public void acked(long nanos) {
    acks++;
    answers.add(nanos);
  }

  public void nacked(String proxyClass, long nanos) {
    nacks++;
    count(nacksByClass, proxyClass);
    answers.add(nanos);
  }

  /** A proxy could not run a resource because of a local problem. */
  public void unable(String proxyClass) {
    count(unableByClass, proxyClass);
  }

  private static void count(SortedMap<String, Long> counts, String proxyClass) {
    boolean known = counts.containsKey(proxyClass) || counts.size() < MAX_CLASSES;
    counts.merge(known ? proxyClass : OTHERS, 1L, Long::sum);
  }

  /** A version was not sent because the proxy rejected it before. */
  public void countSuppressed() {
    suppressed++;
  }

  public long responses() {
    return responses;
  }

  public long bytes() {
    return bytes;
  }

  public long acks() {
    return acks;
  }

  public long nacks() {
    return nacks;
  }

  /** How often a version was not sent because the proxy rejected it before. */
  public long suppressed() {
    return suppressed;
  }

  /** NACKs by class. */
  public SortedMap<String, Long> nacksByClass() {
    return Collections.unmodifiableSortedMap(nacksByClass);
  }

  /** Resources that proxies could not run because of a local problem, by class. */
  public SortedMap<String, Long> unableByClass() {
    return Collections.unmodifiableSortedMap(unableByClass);
  }

  /** The time from a response to its ACK or NACK. */
  public Distribution answers() {
    return answers.distribution();
  }
}
