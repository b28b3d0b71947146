// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.BackoffPolicy;
import java.util.ArrayDeque;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The answers that are owed to the responses of one type on one stream. Each response is answered
 * once, and in order.
 *
 * <p>Some servers answer a NACK with what was refused, at once and for ever. So a NACK of what was
 * refused before waits, each time longer, and only then goes out; meanwhile the stream is read. Any
 * other answer goes out at once, and so does a NACK that waits when the next response comes: then
 * it is not the NACK that makes the server talk. If that response is again the same, reading pauses
 * too.
 */
final class Answers {
  /** ACK, or NACK with a reason. */
  record Answer(String nonce, String version, com.google.rpc.@Nullable Status error) {}

  private final Damper nacks;
  private final long pauseNanos;

  /** All but the last are to be sent now. */
  private final ArrayDeque<Answer> owed = new ArrayDeque<>(2);

  /** Whether the last one waits, until when, and whether nothing is read in the meantime. */
  private boolean waits;

  private long untilNanos;
  private boolean pausesReading;

  Answers(BackoffPolicy policy, RandomGenerator random) {
    nacks = new Damper(policy, random);
    pauseNanos = policy.initial().toNanos();
  }

  /**
   * @param repeated whether the response brought nothing but what was refused or known before
   */
  void add(Answer answer, boolean repeated, long nowNanos) {
    boolean unasked = !owed.isEmpty();
    owed.add(answer);
    if (!repeated || answer.error() == null) {
      waits = false;
      pausesReading = false;
      nacks.reset();
    } else {
      waits = true;
      pausesReading = unasked;
      untilNanos = unasked ? nowNanos + pauseNanos : nacks.notBefore(nowNanos);
    }
  }

  /** The answer that is next in line, whether it is due or not. */
  @Nullable Answer next() {
    return owed.peek();
  }

  boolean isDue(long nowNanos) {
    return owed.size() > 1 || (!owed.isEmpty() && !isWaiting(nowNanos));
  }

  private boolean isWaiting(long nowNanos) {
    return waits && nowNanos < untilNanos;
  }

  /** Whether the next response has to wait for these. */
  boolean holdReading(long nowNanos) {
    return isDue(nowNanos) || (!owed.isEmpty() && pausesReading);
  }

  /** When an answer that waits is due; null if none waits. */
  @Nullable Long dueAt() {
    return owed.size() == 1 && waits ? untilNanos : null;
  }

  /** The next answer is handed over. */
  void sent(long nowNanos) {
    Answer answer = owed.poll();
    if (answer != null && answer.error() != null) {
      nacks.happenedAt(nowNanos);
    }
  }

  /** The stream is gone. */
  void clear() {
    owed.clear();
    waits = false;
    nacks.reset();
  }
}
