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

/** Waits for the applied objects: for the generations that follow those from before the change. */
final class ApplyWait {
  /**
   * By when a server has read a change for sure. Labels and annotations make no new generation, so
   * that nothing tells whether a server has seen new ones.
   */
  private static final Duration READ_BY = Duration.ofSeconds(2);

  private final AdminClient client;
  private final List<WaitTarget> targets;
  private final boolean unnumbered;

  private ApplyWait(AdminClient client, List<WaitTarget> targets, boolean unnumbered) {
    this.client = client;
    this.targets = targets;
    this.unnumbered = unnumbered;
  }

  /** The generations that the server knows, by object. */
  static Map<String, Long> generations(AdminClient client) {
    Map<String, Long> generations = new HashMap<>();
    for (JsonObject object : JsonFields.of(client.get("/api/v1/objects"), "items")) {
      generations.put(ReportedObject.key(object), JsonFields.number(object, "generation"));
    }
    return generations;
  }

  /**
   * @param generations those before the change
   */
  static ApplyWait of(
      AdminClient client, Map<String, Long> generations, List<ApplyPlan.Step> steps) {
    List<WaitTarget> targets = new ArrayList<>();
    boolean unnumbered = false;
    for (ApplyPlan.Step step : steps) {
      ObjectKey key = step.object();
      long now = generations.getOrDefault(key.toString(), 0L);
      targets.add(
          new WaitTarget(
              new ObjectName(key.kind(), key.namespace(), key.name()),
              step.newGeneration() ? now + 1 : Math.max(1, now)));
      unnumbered |= step.action() == ApplyPlan.Action.CHANGED && !step.newGeneration();
    }
    return new ApplyWait(client, targets, unnumbered);
  }

  WaitResult await(Shell shell, Duration timeout, boolean forPeople) {
    if (unnumbered) {
      pause(shell);
    }
    return new ObjectWaiter(client, WaitCondition.applied, targets)
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
