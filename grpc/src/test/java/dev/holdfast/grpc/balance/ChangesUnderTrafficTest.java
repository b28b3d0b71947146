// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import static dev.holdfast.grpc.balance.kit.Clusters.aggregate;
import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.locality;
import static dev.holdfast.grpc.balance.kit.Clusters.withNote;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Backend;
import dev.holdfast.grpc.balance.kit.Clusters;
import dev.holdfast.grpc.balance.kit.Configs;
import dev.holdfast.grpc.balance.kit.ConfiguredChannel;
import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import dev.holdfast.xds.resources.cluster.OutlierDetection;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Configurations come and go at random while calls are made. As long as each of them has an
 * endpoint that answers, no call fails.
 */
@Timeout(120)
class ChangesUnderTrafficTest {
  private static final int CHANGES = 150;
  private static final OutlierDetection OUTLIERS =
      new OutlierDetection(
          Duration.ofMillis(50),
          Duration.ofSeconds(30),
          Duration.ofSeconds(300),
          10,
          null,
          new OutlierDetection.FailurePercentage(85, 100, 5, 50));

  private final Random random = new Random(2026);
  private final AtomicBoolean done = new AtomicBoolean();
  private final Semaphore answers = new Semaphore(0);
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  @Test
  void noCallFails() throws Exception {
    Backend first = Backend.start();
    Backend second = Backend.start();
    ConfiguredChannel channel = new ConfiguredChannel();
    List<XdsConfig> configs = configs(first.port(), second.port());
    channel.give(configs.get(0));
    List<Thread> callers =
        List.of(
            new Thread(() -> callUntilDone(channel, 1)),
            new Thread(() -> callUntilDone(channel, 2)));
    callers.forEach(Thread::start);
    for (int i = 0; i < CHANGES && failures.isEmpty(); i++) {
      channel.give(configs.get(random.nextInt(configs.size())));
      // Sometimes before anything has connected, sometimes after.
      assertThat(answers.tryAcquire(random.nextInt(20), 20, TimeUnit.SECONDS)).isTrue();
    }
    done.set(true);
    for (Thread caller : callers) {
      caller.join();
    }
    channel.stop();
    first.stop();
    second.stop();
    assertThat(failures).isEmpty();
  }

  private void callUntilDone(ConfiguredChannel channel, long seed) {
    Random hashes = new Random(seed);
    while (!done.get()) {
      try {
        channel.call(new RoutedCall("c", hashes.nextLong(), hashes.nextBoolean()));
      } catch (RuntimeException e) {
        failures.add(e);
      } finally {
        answers.release();
      }
    }
  }

  private static List<XdsConfig> configs(int first, int second) {
    ClusterLoadAssignment both = assignment(locality("a", 0, first), locality("b", 0, second));
    ClusterConfig plain = leaf(cluster("c"), both);
    return List.of(
        Configs.of(plain),
        Configs.of(withNote(plain, "EDS: stream lost")),
        Configs.of(leaf(cluster("c"), assignment(first))),
        Configs.of(leaf(cluster("c"), assignment(second))),
        Configs.of(
            leaf(cluster("c"), assignment(locality("a", 0, first), locality("b", 1, second)))),
        Configs.of(
            leaf(cluster("c"), assignment(locality("b", 0, second), locality("a", 1, first)))),
        Configs.of(leaf(cluster("c", new LbPolicy.LeastRequest(2)), both)),
        Configs.of(leaf(cluster("c", new LbPolicy.RingHash(64, 128)), both)),
        Configs.of(leaf(cluster("c", new LbPolicy.PickFirst(true)), both)),
        Configs.of(leaf(cluster("c", LbPolicy.DEFAULT, 1024, OUTLIERS), both)),
        Configs.of(
            leaf(
                cluster("c", LbPolicy.DEFAULT, 1024, OUTLIERS),
                assignment(
                    new LocalityEndpoints(
                        new Locality("r", "z", ""),
                        0,
                        1,
                        List.of(Clusters.endpoint(first, second)))))),
        Configs.of(
            aggregate("c", "x", "y"),
            leaf(cluster("x"), assignment(first)),
            leaf(cluster("y"), assignment(second))));
  }
}
