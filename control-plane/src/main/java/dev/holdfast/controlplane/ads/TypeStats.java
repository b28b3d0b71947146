// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

/** Counts of one type, since the start. */
public final class TypeStats {
  private long responses;
  private long bytes;
  private long acks;
  private long nacks;
  private long suppressed;
  private long answerNanos;

  void sent(long size) {
    responses++;
    bytes += size;
  }

  void acked(long nanos) {
    acks++;
    answerNanos += nanos;
  }

  void nacked(long nanos) {
    nacks++;
    answerNanos += nanos;
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

  /** The time of all answers together. */
  public long answerNanos() {
    return answerNanos;
  }
}
