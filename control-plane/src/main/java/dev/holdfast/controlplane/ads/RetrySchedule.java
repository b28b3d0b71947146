// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * When proxies are sent once more what they could not run: after a second, and each time after
 * twice as long, up to a minute. Loop only.
 */
final class RetrySchedule {
  static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Those that failed together need not come back together. */
  private static final double JITTER = 0.2;

  private final TimeSource time;
  private final Loop loop;
  private final RandomGenerator random;
  private final BiConsumer<String, ResourceId> again;
  private final Map<String, Map<ResourceId, Attempt>> attempts = new TreeMap<>();

  private record Attempt(int failures, Instant due, TimeSource.Timer timer) {}

  /**
   * @param again is told the proxy and the resource when it is time
   */
  RetrySchedule(
      TimeSource time, Loop loop, RandomGenerator random, BiConsumer<String, ResourceId> again) {
    this.time = time;
    this.loop = loop;
    this.random = random;
    this.again = again;
  }

  /** A proxy could not run something; the result is when it is tried again. */
  Instant failed(String node, ResourceId id) {
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
        Math.min(LONGEST.toNanos(), SHORTEST.toNanos() << Math.min(failures - 1, /* most= */ 10));
    double jitter = 1 + JITTER * (2 * random.nextDouble() - 1);
    return Duration.ofNanos(Math.min(LONGEST.toNanos(), (long) (plain * jitter)));
  }

  /** A proxy runs something. */
  void succeeded(String node, Resource resource) {
    Map<ResourceId, Attempt> ofNode = attempts.get(node);
    Attempt attempt = ofNode == null ? null : ofNode.remove(resource.id());
    if (ofNode != null && attempt != null) {
      attempt.timer.cancel();
      if (ofNode.isEmpty()) {
        attempts.remove(node);
      }
    }
  }

  /** A proxy went away. */
  void left(String node) {
    Map<ResourceId, Attempt> ofNode = attempts.remove(node);
    if (ofNode != null) {
      ofNode.values().forEach(attempt -> attempt.timer.cancel());
    }
  }

  /** When a proxy is sent something of a type once more; null if it need not be. */
  @Nullable Instant due(String node, TypeStream typeStream) {
    Instant first = null;
    for (Map.Entry<ResourceId, Attempt> entry : attempts.getOrDefault(node, Map.of()).entrySet()) {
      Instant due = entry.getValue().due;
      if (entry.getKey().type() == typeStream.type() && (first == null || due.isBefore(first))) {
        first = due;
      }
    }
    return first;
  }

  /** How many proxies wait for another try. */
  int proxies() {
    return attempts.size();
  }

  void close() {
    attempts.values().forEach(of -> of.values().forEach(attempt -> attempt.timer.cancel()));
    attempts.clear();
  }
}
