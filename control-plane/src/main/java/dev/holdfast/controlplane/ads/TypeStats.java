// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.report.Distribution;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts of one type, since the start. */
public final class TypeStats {
  /** Proxies name their own class: there must not be more than anybody could mean. */
  private static final int MOST_CLASSES = 64;

  private static final String OTHERS = "others";

  private long responses;
  private long bytes;
  private long acks;
  private long nacks;
  private final SortedMap<String, Long> nacksByClass = new TreeMap<>();
  private final SortedMap<String, Long> unableByClass = new TreeMap<>();
  private final LatencyHistogram answers = LatencyHistogram.ofAnswers();
  private long suppressed;

  void sent(long size) {
    responses++;
    bytes += size;
  }

  void acked(long nanos) {
    acks++;
    answers.add(nanos);
  }

  void nacked(String proxyClass, long nanos) {
    nacks++;
    count(nacksByClass, proxyClass);
    answers.add(nanos);
  }

  /** One of the rejections was for reasons of the machine. */
  void unable(String proxyClass) {
    count(unableByClass, proxyClass);
  }

  private static void count(SortedMap<String, Long> counts, String proxyClass) {
    boolean known = counts.containsKey(proxyClass) || counts.size() < MOST_CLASSES;
    counts.merge(known ? proxyClass : OTHERS, 1L, Long::sum);
  }

  void countSuppressed() {
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

  /** How often bytes were not sent because the proxy had refused them. */
  public long suppressed() {
    return suppressed;
  }

  /** Rejections by class. */
  public SortedMap<String, Long> nacksByClass() {
    return Collections.unmodifiableSortedMap(nacksByClass);
  }

  /** Resources that could not be run for reasons of the machine, by class. */
  public SortedMap<String, Long> unableByClass() {
    return Collections.unmodifiableSortedMap(unableByClass);
  }

  /** How long answers took. */
  public Distribution answers() {
    return answers.distribution();
  }
}
