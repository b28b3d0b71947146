// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo;

import dev.holdfast.demo.environment.CloseableGroup;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.environment.DemoEnvironmentBuilder;
import dev.holdfast.demo.environment.DemoSettings;
import dev.holdfast.demo.report.DemoSummary;
import dev.holdfast.demo.report.Narrator;
import dev.holdfast.demo.report.StepReport;
import dev.holdfast.demo.step.Step;
import dev.holdfast.demo.step.StepContext;
import dev.holdfast.demo.traffic.CallCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the demo. */
public final class Demo {
  private final DemoSettings settings;
  private final Narrator narrator;
  private final boolean keep;

  /**
   * @param keep whether everything goes on afterwards, until the process is told to end
   */
  public Demo(DemoSettings settings, Narrator narrator, boolean keep) {
    this.settings = settings;
    this.narrator = narrator;
    this.keep = keep;
  }

  /**
   * Plays it, stopping at the first step of which not everything held. Whatever was started is gone
   * when this returns or throws, and also if the process is told to end meanwhile.
   *
   * @throws IOException if something could not be started
   * @throws dev.holdfast.demo.environment.DemoStoppedException if the process was told to end
   */
  public DemoSummary run() throws IOException {
    DemoEnvironmentBuilder builder = new DemoEnvironmentBuilder(settings, narrator);
    CloseableGroup closeables = builder.closeables();
    Thread onExit = new Thread(closeables::close, "demo-end");
    Runtime.getRuntime().addShutdownHook(onExit);
    try (closeables) {
      return play(builder.build());
    } finally {
      forget(onExit);
    }
  }

  /** Nothing is left out between two steps. */
  private static Map<String, CallCounts> sum(
      Map<String, CallCounts> before, Map<String, CallCounts> more) {
    Map<String, CallCounts> sum = new HashMap<>(before);
    more.forEach((name, counts) -> sum.merge(name, counts, CallCounts::plus));
    return sum;
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it runs already
    }
  }

  private DemoSummary play(DemoEnvironment environment) {
    long start = environment.clock().nanos();
    narrator.opens(environment.setup());
    List<Step> steps = Step.all(environment);
    List<StepReport> reports = new ArrayList<>();
    Map<String, CallCounts> before = Map.of();
    for (Step step : steps) {
      narrator.begins(reports.size() + 1, step.heading(environment));
      StepReport report = StepContext.play(step, environment, narrator, before);
      reports.add(report);
      before = sum(before, report.traffic());
      if (!report.passed()) {
        break;
      }
    }
    boolean passed = reports.stream().allMatch(StepReport::passed);
    DemoSummary summary =
        new DemoSummary(
            environment.setup(),
            reports,
            steps.size(),
            passed ? List.of() : environment.diagnostics(),
            environment.clock().since(start));
    narrator.closes(summary);
    if (keep) {
      narrator.stays(environment.setup());
      environment.clock().awaitStop();
    }
    return summary;
  }
}
