// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the retries of resources that proxies could not run because of a local problem: after a
 * second, then each time after twice as long, up to a minute. Loop only.
 */
public final class RetrySchedule {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Spreads the retries of proxies that failed at the same time. */
  private static final double JITTER = 0.2;

  private final TimeSource time;
  private final Loop loop;
  private final RandomGenerator random;
  private final BiConsumer<String, ResourceId> again;
  private final Map<String, Map<ResourceId, Attempt>> attempts = new TreeMap<>();

  private record Attempt(int failures, Instant due, TimeSource.Timer timer) {}

  /**
   * @param again called with node and resource when a retry is due
   */
  public RetrySchedule(
      TimeSource time, Loop loop, RandomGenerator random, BiConsumer<String, ResourceId> again) {
    this.time = time;
    this.loop = loop;
    this.random = random;
    this.again = again;
  }

  /** A proxy could not run a resource; returns the time of the next attempt. */
  public Instant failed(String node, ResourceId id) {
    Map<ResourceId, Attempt> ofNode = attempts.computeIfAbsent(node, unused -> new TreeMap<>());
    Attempt last = ofNode.get(id);
    int failures = last == null ? 1 : last.failures + 1;
    if (last != null) {
      last.timer.cancel();
    }
    Duration delay = delay(failures);
    Instant due = time.now().plus(delay);
    TimeSource.Timer timer = time.schedule(delay, () -> loop.execute(() -> again.accept(node, id)));
    ofNode.put(id, new Attempt(failures, due, timer));
    return due;
  }

  private Duration delay(int failures) {
    long plain =
        Math.min(LONGEST.toNanos(), SHORTEST.toNanos() << Math.min(failures - 1, /* max= */ 10));
    double jitter = 1 + JITTER * (2 * random.nextDouble() - 1);
    return Duration.ofNanos(Math.min(LONGEST.toNanos(), (long) (plain * jitter)));
  }

  /** A proxy accepted a resource. */
  public void succeeded(String node, Resource resource) {
    Map<ResourceId, Attempt> ofNode = attempts.get(node);
    Attempt attempt = ofNode == null ? null : ofNode.remove(resource.id());
    if (ofNode != null && attempt != null) {
      attempt.timer.cancel();
      if (ofNode.isEmpty()) {
        attempts.remove(node);
      }
    }
  }

  /** A proxy disconnected. */
  public void left(String node) {
    Map<ResourceId, Attempt> ofNode = attempts.remove(node);
    if (ofNode != null) {
      ofNode.values().forEach(attempt -> attempt.timer.cancel());
    }
  }

  /** The time of a proxy's next retry of a type; null if none is scheduled. */
  public @Nullable Instant due(String node, ResourceType type) {
    Instant first = null;
    for (Map.Entry<ResourceId, Attempt> entry : attempts.getOrDefault(node, Map.of()).entrySet()) {
      Instant due = entry.getValue().due;
      if (entry.getKey().type() == type && (first == null || due.isBefore(first))) {
        first = due;
      }
    }
    return first;
  }

  /** How many proxies have a retry scheduled. */
  public int proxies() {
    return attempts.size();
  }

  public void close() {
    attempts.values().forEach(of -> of.values().forEach(attempt -> attempt.timer.cancel()));
    attempts.clear();
  }
}
