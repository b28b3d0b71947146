// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.snapshot.Resource;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * How often a selection was looked for with each odd proxy. A proxy that says one thing now and
 * another later would have it begin again for ever. Loop only.
 */
final class Attempts {
  private static final int MOST_PROXIES = 256;

  /** Without a pause. */
  private static final int FREE = 2;

  /** As long as the proxy stays connected, and refuses the same. */
  private static final int MOST = 8;

  /** As long as the proxy stays connected. */
  private static final int MOST_IN_ALL = 24;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** After which earlier attempts are forgotten. */
  private static final Duration MEMORY = Duration.ofMinutes(10);

  private record Attempt(int number, long at, long connection, Set<Resource> refused) {}

  private final TimeSource time;
  private final Map<String, Attempt> last =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Attempt> eldest) {
          return size() > MOST_PROXIES;
        }
      };

  Attempts(TimeSource time) {
    this.time = time;
  }

  /** Whether there may be another one at all. */
  boolean areLeft(ProxyFleet.Member member) {
    Attempt before = last.get(member.node());
    return before == null
        || before.number < MOST_IN_ALL
        || before.connection != member.connection()
        || isOld(before);
  }

  /** Whether there will be no other one, as long as the proxy stays connected and refuses this. */
  boolean areOver(ProxyFleet.Member member, Collection<Resource> refused) {
    Attempt before = last.get(member.node());
    return !areLeft(member)
        || (before != null
            && !isOld(before)
            && before.number >= MOST
            && before.connection == member.connection()
            && before.refused.equals(Set.copyOf(refused)));
  }

  /** How long to wait before the next one; zero if it may begin. */
  Duration pause(ProxyFleet.Member member) {
    Attempt before = last.get(member.node());
    if (before == null || isOld(before) || before.number < FREE) {
      return Duration.ZERO;
    }
    long pause =
        Math.min(
            FIRST_PAUSE.toNanos() << Math.min(before.number - FREE, /* max= */ 10),
            LONGEST_PAUSE.toNanos());
    long left = pause - (time.nanoTime() - before.at);
    return left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
  }

  void begin(ProxyFleet.Member member, Collection<Resource> refused) {
    Attempt before = last.remove(member.node());
    int number = before == null || isOld(before) ? 1 : before.number + 1;
    last.put(
        member.node(),
        new Attempt(number, time.nanoTime(), member.connection(), Set.copyOf(refused)));
  }

  private boolean isOld(Attempt attempt) {
    return time.nanoTime() - attempt.at > MEMORY.toNanos();
  }
}
