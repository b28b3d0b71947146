// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The proxies that may be about to come back: all that were there before a start, and those that
 * left a moment ago. Until then, those that are there need not be most of their class. Loop only.
 */
public final class AwaitedProxies {
  private static final long WAIT = ClassRegistry.A_WHILE.toNanos();

  /** Of one class. If more have left, those that left first are not waited for. */
  private static final int MOST = 100;

  private final TimeSource time;
  private final Loop loop;
  private final Runnable lookAgain;

  /** By class and node, when each left, on the clock of {@code System.nanoTime}. */
  private final Map<String, Map<String, Long>> away = new HashMap<>();

  /** The classes that ran the baseline before the start. */
  private final Set<String> restored = new HashSet<>();

  private long started;
  private boolean waiting;

  /**
   * @param lookAgain called on the loop when somebody was asked for who has not come back
   */
  public AwaitedProxies(TimeSource time, Loop loop, Runnable lookAgain) {
    this.time = time;
    this.loop = loop;
    this.lookAgain = lookAgain;
  }

  /** These classes ran the baseline under an earlier process. */
  public void restore(Collection<String> classes) {
    restored.addAll(classes);
    started = time.nanoTime();
  }

  /** A class is known not to run the baseline. */
  public void forget(String proxyClass) {
    restored.remove(proxyClass);
  }

  /** A proxy that had a vote left. */
  public void left(String node, String proxyClass) {
    Map<String, Long> nodes =
        away.computeIfAbsent(
            proxyClass,
            unused ->
                new LinkedHashMap<>() {
                  private static final long serialVersionUID = 1;

                  @Override
                  protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                    return size() > MOST;
                  }
                });
    nodes.remove(node);
    nodes.put(node, time.nanoTime());
  }

  /** These are connected. */
  public void refresh(Collection<ProxyFleet.Member> members) {
    long now = time.nanoTime();
    if (!restored.isEmpty() && now - started >= WAIT) {
      restored.clear();
    }
    if (away.isEmpty()) {
      return;
    }
    for (ProxyFleet.Member member : members) {
      Map<String, Long> nodes = away.get(member.proxyClass());
      if (nodes != null) {
        nodes.remove(member.node());
      }
    }
    away.values().forEach(nodes -> nodes.values().removeIf(at -> now - at >= WAIT));
    away.values().removeIf(Map::isEmpty);
  }

  /**
   * Whether all proxies of a class may be about to come back after a start; if so, looks again when
   * that is over.
   */
  public boolean areAll(String proxyClass) {
    return restored.contains(proxyClass) && isSoonAfter(started);
  }

  /** Whether so many proxies of a class may come back; if so, looks again when that is over. */
  public boolean areAtLeast(int number, String proxyClass) {
    int left = 0;
    long first = 0;
    for (long at : away.getOrDefault(proxyClass, Map.of()).values()) {
      if (time.nanoTime() - at < WAIT) {
        first = left == 0 ? at : first;
        left++;
      }
    }
    return areAll(proxyClass) || (left > 0 && left >= number && isSoonAfter(first));
  }

  private boolean isSoonAfter(long at) {
    long wait = WAIT - (time.nanoTime() - at);
    if (wait > 0 && !waiting) {
      waiting = true;
      time.schedule(Duration.ofNanos(wait), () -> loop.execute(this::waited));
    }
    return wait > 0;
  }

  private void waited() {
    waiting = false;
    lookAgain.run();
  }
}
