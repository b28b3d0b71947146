// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import com.google.gson.JsonObject;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.Items;
import dev.holdfast.cli.client.ObjectName;
import dev.holdfast.cli.client.Reported;
import dev.holdfast.cli.waiting.Goal;
import dev.holdfast.cli.waiting.Outcome;
import dev.holdfast.cli.waiting.Progress;
import dev.holdfast.cli.waiting.Purpose;
import dev.holdfast.cli.waiting.Waiting;
import dev.holdfast.config.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** What is waited for once files are written, worked out before they are. */
final class Rollout {
  /**
   * By when a server has read a change for sure. Labels and annotations make no new generation, so
   * that nothing tells whether a server has seen new ones.
   */
  private static final Duration READ_BY = Duration.ofSeconds(2);

  private final AdminClient client;
  private final List<Goal> goals;
  private final boolean unnumbered;

  private Rollout(AdminClient client, List<Goal> goals, boolean unnumbered) {
    this.client = client;
    this.goals = goals;
    this.unnumbered = unnumbered;
  }

  static Rollout before(AdminClient client, Plan plan) {
    Map<String, Long> generations = new HashMap<>();
    for (JsonObject object : Items.of(client.get("/api/v1/objects"), "items")) {
      generations.put(Reported.key(object), Items.number(object, "generation"));
    }
    List<Goal> goals = new ArrayList<>();
    boolean unnumbered = false;
    for (Plan.Step step : plan.steps()) {
      ObjectKey key = step.object();
      long now = generations.getOrDefault(key.toString(), 0L);
      goals.add(
          new Goal(
              new ObjectName(key.kind(), key.namespace(), key.name()),
              step.newGeneration() ? now + 1 : Math.max(1, now)));
      unnumbered |= step.action() == Plan.Action.CHANGED && !step.newGeneration();
    }
    return new Rollout(client, goals, unnumbered);
  }

  Outcome await(Shell shell, Duration timeout, boolean forPeople) {
    if (unnumbered) {
      pause(shell);
    }
    return new Waiting(client, Purpose.applied, goals)
        .run(shell.time(), timeout, forPeople ? Progress.of(shell) : Progress.NONE);
  }

  private static void pause(Shell shell) {
    CountDownLatch read = new CountDownLatch(1);
    shell.time().schedule(READ_BY, read::countDown);
    try {
      read.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
