// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.scout;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Scouts that were ended because of what requests through them have found, such as a thread that
 * hangs. That is no loss: what is tried next waits until they are back, and is tried nowhere else.
 * Loop only.
 */
final class EndedScouts {
  /** How long one is waited for: on a busy machine, a start takes a while. */
  private static final Duration RETURN = Duration.ofSeconds(15);

  /** How long one that is back may take to answer, as any other canary. */
  private static final Duration ANSWER = Duration.ofSeconds(4);

  private static final class Ended {
    final long connection;
    final long since;
    boolean isBack;
    long backSince;

    Ended(long connection, long since) {
      this.connection = connection;
      this.since = since;
    }
  }

  private final TimeSource time;
  private final Map<String, Ended> ended = new HashMap<>();

  EndedScouts(TimeSource time) {
    this.time = time;
  }

  void add(ProxyFleet.Member member) {
    ended.put(member.node(), new Ended(member.connection(), time.nanoTime()));
  }

  /**
   * These scouts are connected.
   *
   * @param isSettled whether one runs everything that it is shown
   * @return those that are back since the last time
   */
  List<ProxyFleet.Member> refresh(
      Collection<ProxyFleet.Member> connected, Predicate<ProxyFleet.Member> isSettled) {
    long now = time.nanoTime();
    List<ProxyFleet.Member> back = new ArrayList<>();
    for (ProxyFleet.Member member : connected) {
      Ended each = ended.get(member.node());
      if (each != null
          && !each.isBack
          && member.connection() != each.connection
          && isSettled.test(member)) {
        each.isBack = true;
        each.backSince = now;
        back.add(member);
      }
    }
    ended
        .values()
        .removeIf(
            each ->
                each.isBack
                    ? now - each.backSince >= ANSWER.toNanos()
                    : now - each.since >= RETURN.toNanos());
    return back;
  }

  /** Whether one is waited for. */
  boolean isAnyAway() {
    return ended.values().stream().anyMatch(each -> !each.isBack);
  }

  /** Whether this one is waited for. */
  boolean isAway(String node) {
    Ended each = ended.get(node);
    return each != null && !each.isBack;
  }

  /** Whether it was waited for until a moment ago, and need not have answered yet. */
  boolean isJustBack(String node) {
    Ended each = ended.get(node);
    return each != null && each.isBack;
  }

  /** Whether this is the process that was ended. */
  boolean isEnded(ProxyFleet.Member member) {
    Ended each = ended.get(member.node());
    return each != null && each.connection == member.connection();
  }

  void clear() {
    ended.clear();
  }
}
