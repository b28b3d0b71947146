// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Loop;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.xds.resources.route.RouteAction;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random changes of everything in random order: whatever is told is whole, and what is told last is
 * what a fresh start would make of the same resources.
 */
class RandomChangesTest {
  private static final int SEEDS = 300;
  private static final int STEPS = 40;

  @Test
  void whateverHappensEveryConfigurationIsWholeAndTheLastIsRight() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        new Run(seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static final class Run {
    private final SplittableRandom random;
    private final RandomWorld world;
    private final FakeXds xds = new FakeXds();
    private final ManualExecutor executor = new ManualExecutor();
    private final List<Throwable> uncaught = new ArrayList<>();
    private final Set<String> untold = new TreeSet<>();
    private final Set<String> watchedBefore = new HashSet<>();
    private String last = "nothing";
    private List<String> lastLines = List.of();
    private final DependencyManager manager;

    Run(long seed) {
      random = new SplittableRandom(seed);
      world = new RandomWorld(random.split());
      manager =
          DependencyManager.start(
              new DependencyManager.Sources(xds, new XdsTypes(), new FakeHosts(), "node-1"),
              new DependencyManager.Target("svc", "svc"),
              new Loop(executor, uncaught::add),
              this::told);
    }

    void run() {
      settle();
      for (int step = 0; step < STEPS; step++) {
        if (random.nextInt(3) == 0) {
          untold.add(world.change());
        }
        tellSome(1 + random.nextInt(3));
      }
      for (int round = 0; !untold.isEmpty(); round++) {
        assertThat(round).as("an end to the telling").isLessThan(1000);
        tellSome(3);
      }
      assertThat(lastLines).as(last).isEqualTo(world.expected());
      manager.close();
      settle();
      assertThat(xds.watched()).isEmpty();
    }

    /** In one turn or in several, tells watchers what they do not know yet. */
    private void tellSome(int most) {
      boolean oneTurn = random.nextBoolean();
      for (int i = 0; i < most; i++) {
        untold.retainAll(xds.watched());
        if (!untold.isEmpty()) {
          List<String> choice = List.copyOf(untold);
          String resource = choice.get(random.nextInt(choice.size()));
          untold.remove(resource);
          world.tell(xds, resource);
        }
        if (!oneTurn) {
          settle();
        }
      }
      settle();
    }

    private void settle() {
      executor.runAll();
      assertThat(uncaught).isEmpty();
      // A watch that was ended and begun again has to be told again.
      xds.takeEnded()
          .forEach(ended -> watchedBefore.remove(ended.substring(0, ended.lastIndexOf(' '))));
      for (String resource : xds.watched()) {
        if (watchedBefore.add(resource)) {
          untold.add(resource);
        }
      }
    }

    private void told(StatusOr<XdsConfig> config) {
      last = config.toString();
      if (!config.hasValue()) {
        lastLines = List.of("failure");
        return;
      }
      XdsConfig value = config.getValue();
      value
          .virtualHost()
          .routes()
          .forEach(
              route ->
                  ((RouteAction.Forward) route.action())
                      .clusters()
                      .forEach(
                          cluster -> assertThat(value.clusters()).containsKey(cluster.name())));
      Set<String> lines = new TreeSet<>();
      value.clusters().forEach((name, answer) -> lines.add(name + " " + describe(value, answer)));
      lastLines = List.copyOf(lines);
    }

    private static String describe(XdsConfig config, StatusOr<ClusterConfig> answer) {
      if (!answer.hasValue()) {
        return "error";
      }
      if (answer.getValue().members() instanceof ClusterConfig.Aggregate aggregate) {
        assertThat(config.clusters()).containsKeys(aggregate.leaves().toArray(String[]::new));
        return "leaves " + String.join(",", aggregate.leaves());
      }
      String name = answer.getValue().cluster().name();
      return Dependent.assignment(config, name).hasValue()
          ? "port " + Dependent.ports(config, name)
          : "unreachable";
    }
  }
}
