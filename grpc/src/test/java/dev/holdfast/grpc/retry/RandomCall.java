// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import dev.holdfast.xds.resources.route.RetryableCode;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call and what becomes of its attempts, with a plain reading of the rules. Times are in
 * microseconds; deadline and cancellation never fall on the same time as anything else.
 */
record RandomCall(
    int maxAttempts, Set<RetryableCode> codes, long deadline, long cancel, List<Outcome> outcomes) {
  private static final long PER_TRY = 500_000;
  private static final List<String> PUSHBACKS = List.of("-1", "0", "3", "400", "x");
  private static final List<Status.Code> CODES =
      List.of(
          Status.Code.UNAVAILABLE,
          Status.Code.UNAVAILABLE,
          Status.Code.INTERNAL,
          Status.Code.CANCELLED,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.NOT_FOUND);

  /**
   * @param after when the response begins, or the attempt fails
   * @param length of the response; 0 if there is none
   */
  record Outcome(long after, long length, Status.Code code, @Nullable String pushback) {}

  static RandomCall draw(Random random) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      boolean response = random.nextInt(5) == 0;
      outcomes.add(
          new Outcome(
              random.nextInt(100) * 7_000L, // not exactly the time of an attempt
              response ? 1_000 + random.nextInt(900) * 1_000L : 0,
              response && random.nextBoolean() ? Status.Code.OK : oneOf(CODES, random),
              random.nextInt(5) == 0 ? oneOf(PUSHBACKS, random) : null));
    }
    Set<RetryableCode> codes = EnumSet.of(RetryableCode.UNAVAILABLE);
    for (RetryableCode code : RetryableCode.values()) {
      if (random.nextInt(3) == 0) {
        codes.add(code);
      }
    }
    return new RandomCall(
        2 + random.nextInt(4),
        codes,
        random.nextInt(6_000) * 1_000L + 500,
        random.nextInt(9_000) * 1_000L + 250,
        outcomes);
  }

  private static <T> T oneOf(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  /** When attempts start, what the application hears, and when the call ends. */
  String end() {
    long stop = Math.min(deadline, cancel);
    String stopped = deadline < cancel ? "close DEADLINE_EXCEEDED" : "close CANCELLED";
    List<Long> starts = new ArrayList<>();
    long now = 0;
    long backoff = 100_000;
    for (Outcome outcome : outcomes) {
      starts.add(now);
      boolean slow = outcome.after > PER_TRY;
      long end = now + Math.min(outcome.after, PER_TRY);
      if (stop < end) {
        return starts + " [" + stopped + "] at " + stop;
      }
      if (outcome.length > 0 && !slow) {
        end += outcome.length;
        String last = stop < end ? stopped : "close " + outcome.code;
        return starts + " [headers, " + last + "] at " + Math.min(stop, end);
      }
      Status.Code code = slow ? Status.Code.DEADLINE_EXCEEDED : outcome.code;
      Long pushback = slow || outcome.pushback == null ? null : pushback(outcome.pushback);
      boolean wanted = slow || (pushback == null ? isRetryable(code) : pushback >= 0);
      if (starts.size() == maxAttempts || !wanted) {
        return starts + " [close " + code + "] at " + end;
      }
      now = end + (pushback == null ? backoff : pushback);
      backoff = pushback == null ? Math.min(2 * backoff, 150_000) : 100_000;
      if (stop < now) {
        return starts + " [" + stopped + "] at " + stop;
      }
    }
    throw new AssertionError("more attempts than there can be");
  }

  private static Long pushback(String text) {
    return text.equals("x") ? -1L : Long.parseLong(text) * 1_000;
  }

  private boolean isRetryable(Status.Code code) {
    return codes.stream().anyMatch(retryable -> retryable.name().equals(code.name()));
  }
}
