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

/** Plays the demo from its beginning to its end. */
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
    CloseableGroup estate = builder.estate();
    Thread onExit = new Thread(estate::close, "demo-end");
    Runtime.getRuntime().addShutdownHook(onExit);
    try (estate) {
      return play(builder.build());
    } finally {
      forget(onExit);
    }
  }

  /** Nothing is left out between two steps. */
  private static Map<String, CallCounts> sum(
      Map<String, CallCounts> before, Map<String, CallCounts> more) {
    Map<String, CallCounts> sum = new HashMap<>(before);
    more.forEach((name, tally) -> sum.merge(name, tally, CallCounts::plus));
    return sum;
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it runs already
    }
  }

  private DemoSummary play(DemoEnvironment world) {
    long start = world.clock().nanos();
    narrator.opens(world.setting());
    List<Step> steps = Step.all();
    List<StepReport> reports = new ArrayList<>();
    Map<String, CallCounts> before = Map.of();
    for (Step step : steps) {
      narrator.begins(reports.size() + 1, step.heading(world));
      StepReport report = StepContext.play(step, world, narrator, before);
      reports.add(report);
      before = sum(before, report.traffic());
      if (!report.held()) {
        break;
      }
    }
    boolean held = reports.stream().allMatch(StepReport::held);
    DemoSummary summary =
        new DemoSummary(
            world.setting(),
            reports,
            steps.size(),
            held ? List.of() : world.trouble(),
            world.clock().since(start));
    narrator.closes(summary);
    if (keep) {
      narrator.stays(world.setting());
      world.clock().awaitStop();
    }
    return summary;
  }
}
