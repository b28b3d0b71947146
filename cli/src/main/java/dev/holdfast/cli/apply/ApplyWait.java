// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import com.google.gson.JsonObject;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.client.AdminClient;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ObjectName;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.waiting.ObjectWaiter;
import dev.holdfast.cli.waiting.ProgressPrinter;
import dev.holdfast.cli.waiting.WaitCondition;
import dev.holdfast.cli.waiting.WaitResult;
import dev.holdfast.cli.waiting.WaitTarget;
import dev.holdfast.config.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** What is waited for once files are written, worked out before they are. */
final class ApplyWait {
  /**
   * By when a server has read a change for sure. Labels and annotations make no new generation, so
   * that nothing tells whether a server has seen new ones.
   */
  private static final Duration READ_BY = Duration.ofSeconds(2);

  private final AdminClient client;
  private final List<WaitTarget> goals;
  private final boolean unnumbered;

  private ApplyWait(AdminClient client, List<WaitTarget> goals, boolean unnumbered) {
    this.client = client;
    this.goals = goals;
    this.unnumbered = unnumbered;
  }

  static ApplyWait before(AdminClient client, ApplyPlan plan) {
    Map<String, Long> generations = new HashMap<>();
    for (JsonObject object : JsonFields.of(client.get("/api/v1/objects"), "items")) {
      generations.put(ReportedObject.key(object), JsonFields.number(object, "generation"));
    }
    List<WaitTarget> goals = new ArrayList<>();
    boolean unnumbered = false;
    for (ApplyPlan.Step step : plan.steps()) {
      ObjectKey key = step.object();
      long now = generations.getOrDefault(key.toString(), 0L);
      goals.add(
          new WaitTarget(
              new ObjectName(key.kind(), key.namespace(), key.name()),
              step.newGeneration() ? now + 1 : Math.max(1, now)));
      unnumbered |= step.action() == ApplyPlan.Action.CHANGED && !step.newGeneration();
    }
    return new ApplyWait(client, goals, unnumbered);
  }

  WaitResult await(Shell shell, Duration timeout, boolean forPeople) {
    if (unnumbered) {
      pause(shell);
    }
    return new ObjectWaiter(client, WaitCondition.applied, goals)
        .run(shell.time(), timeout, forPeople ? ProgressPrinter.of(shell) : ProgressPrinter.NONE);
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
