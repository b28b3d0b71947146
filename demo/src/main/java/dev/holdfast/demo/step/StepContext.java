// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoClock;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.CheckResult;
import dev.holdfast.demo.report.Narrator;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.report.StepReport;
import dev.holdfast.demo.traffic.CallCounts;
import dev.holdfast.demo.traffic.ClientEvents;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Where one step is played: collects what is claimed, and counts the calls meanwhile. */
public final class StepContext {
  /** After everything was seen, calls are counted for a while longer. */
  private static final Duration AFTERMATH = Duration.ofSeconds(1);

  private final DemoEnvironment world;
  private final Narrator narrator;
  private final StepHeading heading;
  private final Map<String, CallCounts> before;
  private final List<CheckResult> claims = new ArrayList<>();
  private final long start;
  private long action;

  private StepContext(
      DemoEnvironment world,
      Narrator narrator,
      StepHeading heading,
      Map<String, CallCounts> before) {
    this.world = world;
    this.narrator = narrator;
    this.heading = heading;
    this.before = before;
    start = world.clock().nanos();
    action = start;
  }

  /**
   * Plays a step to its end, or to the first claim that is not so.
   *
   * @param before the calls at the end of the step before
   */
  public static StepReport play(
      Step step, DemoEnvironment world, Narrator narrator, Map<String, CallCounts> before) {
    StepContext stage = new StepContext(world, narrator, step.heading(world), before);
    try {
      step.play(stage);
      world.clock().pause(AFTERMATH);
      stage.check("no call failed", stage.calls().failed() == 0);
    } catch (CheckFailedException e) {
      // has been told
    } catch (IOException e) {
      stage.record(
          new CheckResult(String.valueOf(e.getMessage()), /* held= */ false, stage.took()));
    }
    StepReport report =
        new StepReport(
            stage.heading, stage.claims, stage.traffic(), world.clock().since(stage.start));
    narrator.ends(report);
    return report;
  }

  DemoEnvironment world() {
    return world;
  }

  Narrator narrator() {
    return narrator;
  }

  /** What follows is measured from here. */
  void act() {
    action = world.clock().nanos();
  }

  /** Claims something that becomes so, and waits for it. */
  void claim(String text, DemoClock.Condition condition) {
    boolean held = world.clock().await(condition);
    settle(new CheckResult(text, held, took()));
  }

  /** Claims something that is so, or not. */
  void check(String text, boolean held) {
    settle(new CheckResult(text, held, Duration.ZERO));
  }

  private void settle(CheckResult claim) {
    record(claim);
    if (!claim.held()) {
      throw new CheckFailedException(claim.text());
    }
  }

  private void record(CheckResult claim) {
    claims.add(claim);
    narrator.claimed(claim);
  }

  private Duration took() {
    return world.clock().since(action);
  }

  /** Claims that every client gets that many more answers. */
  void claimCalls(String text, long more) {
    Map<String, CallCounts> now = world.traffic();
    claim(
        text,
        () ->
            world.traffic().entrySet().stream()
                .allMatch(
                    entry ->
                        entry.getValue().served()
                            >= Objects.requireNonNull(now.get(entry.getKey())).served() + more));
  }

  /** Claims that the gRPC client notices a loss, says so, and loses nothing else. */
  void claimAmbientError(String text) {
    ClientEvents events = world.events();
    claim(text, () -> events.failure() != null);
    Status failure = events.failure();
    if (failure != null) {
      narrator.quotes("gRPC client, ambient error", StatusText.of(failure));
    }
    check(
        "and goes on with all " + events.watched() + " resources that it had",
        events.accepted() == events.watched());
  }

  private Map<String, CallCounts> traffic() {
    Map<String, CallCounts> traffic = new LinkedHashMap<>();
    world
        .traffic()
        .forEach(
            (name, tally) ->
                traffic.put(name, tally.minus(before.getOrDefault(name, CallCounts.NONE))));
    return traffic;
  }

  private CallCounts calls() {
    return traffic().values().stream().reduce(CallCounts.NONE, CallCounts::plus);
  }
}
