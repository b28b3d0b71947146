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

/** Runs one step: collects its checks and counts calls meanwhile. */
public final class StepContext {
  /** How long calls are counted after the last check. */
  private static final Duration AFTERMATH = Duration.ofSeconds(1);

  private final DemoEnvironment environment;
  private final Narrator narrator;
  private final StepHeading heading;
  private final Map<String, CallCounts> before;
  private final List<CheckResult> checks = new ArrayList<>();
  private final long start;
  private long action;

  private StepContext(
      DemoEnvironment environment,
      Narrator narrator,
      StepHeading heading,
      Map<String, CallCounts> before) {
    this.environment = environment;
    this.narrator = narrator;
    this.heading = heading;
    this.before = before;
    start = environment.clock().nanos();
    action = start;
  }

  /**
   * Runs a step to its end, or to the first failed check.
   *
   * @param before the calls at the end of the step before
   */
  public static StepReport play(
      Step step, DemoEnvironment environment, Narrator narrator, Map<String, CallCounts> before) {
    StepContext context = new StepContext(environment, narrator, step.heading(environment), before);
    try {
      step.play(context);
      environment.clock().pause(AFTERMATH);
      context.check("no call failed", context.calls().failed() == 0);
    } catch (CheckFailedException e) {
      // the narrator was told
    } catch (IOException e) {
      context.record(
          new CheckResult(String.valueOf(e.getMessage()), /* passed= */ false, context.took()));
    }
    StepReport report =
        new StepReport(
            context.heading,
            context.checks,
            context.traffic(),
            environment.clock().since(context.start));
    narrator.ends(report);
    return report;
  }

  DemoEnvironment environment() {
    return environment;
  }

  Narrator narrator() {
    return narrator;
  }

  /** The duration of later checks is measured from here. */
  void act() {
    action = environment.clock().nanos();
  }

  /** Waits for a condition and records the check. */
  void awaitCheck(String text, DemoClock.Condition condition) {
    boolean passed = environment.clock().await(condition);
    settle(new CheckResult(text, passed, took()));
  }

  /** Records a check that does not wait. */
  void check(String text, boolean passed) {
    settle(new CheckResult(text, passed, Duration.ZERO));
  }

  private void settle(CheckResult check) {
    record(check);
    if (!check.passed()) {
      throw new CheckFailedException(check.text());
    }
  }

  private void record(CheckResult check) {
    checks.add(check);
    narrator.checked(check);
  }

  private Duration took() {
    return environment.clock().since(action);
  }

  /** Waits until every client has made that many more successful calls. */
  void awaitCalls(String text, long more) {
    Map<String, CallCounts> now = environment.traffic();
    awaitCheck(
        text,
        () ->
            environment.traffic().entrySet().stream()
                .allMatch(
                    entry ->
                        entry.getValue().served()
                            >= Objects.requireNonNull(now.get(entry.getKey())).served() + more));
  }

  /**
   * Waits until the gRPC client reports a lost connection, and checks that it kept its resources.
   */
  void checkAmbientError(String text) {
    ClientEvents events = environment.events();
    awaitCheck(text, () -> events.failure() != null);
    Status failure = events.failure();
    if (failure != null) {
      narrator.quotes("gRPC client, ambient error", StatusText.of(failure));
    }
    check(
        "the gRPC client keeps all " + events.watched() + " resources",
        events.accepted() == events.watched());
  }

  private Map<String, CallCounts> traffic() {
    Map<String, CallCounts> traffic = new LinkedHashMap<>();
    environment
        .traffic()
        .forEach(
            (name, counts) ->
                traffic.put(name, counts.minus(before.getOrDefault(name, CallCounts.NONE))));
    return traffic;
  }

  private CallCounts calls() {
    return traffic().values().stream().reduce(CallCounts.NONE, CallCounts::plus);
  }
}
