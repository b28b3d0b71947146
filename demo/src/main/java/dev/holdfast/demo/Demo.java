// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo;

import dev.holdfast.demo.report.Narrator;
import dev.holdfast.demo.report.StepReport;
import dev.holdfast.demo.report.Summary;
import dev.holdfast.demo.step.Stage;
import dev.holdfast.demo.step.Step;
import dev.holdfast.demo.traffic.Tally;
import dev.holdfast.demo.world.Estate;
import dev.holdfast.demo.world.World;
import dev.holdfast.demo.world.WorldBuilder;
import dev.holdfast.demo.world.WorldSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Plays the demo from its beginning to its end. */
public final class Demo {
  private final WorldSettings settings;
  private final Narrator narrator;
  private final boolean keep;

  /**
   * @param keep whether everything goes on afterwards, until the process is told to end
   */
  public Demo(WorldSettings settings, Narrator narrator, boolean keep) {
    this.settings = settings;
    this.narrator = narrator;
    this.keep = keep;
  }

  /**
   * Plays it, stopping at the first step of which not everything held. Whatever was started is gone
   * when this returns or throws, and also if the process is told to end meanwhile.
   *
   * @throws IOException if something could not be started
   * @throws dev.holdfast.demo.world.Stopped if the process was told to end
   */
  public Summary run() throws IOException {
    WorldBuilder builder = new WorldBuilder(settings, narrator);
    Estate estate = builder.estate();
    Thread onExit = new Thread(estate::close, "demo-end");
    Runtime.getRuntime().addShutdownHook(onExit);
    try (estate) {
      return play(builder.build());
    } finally {
      forget(onExit);
    }
  }

  /** Nothing is left out between two steps. */
  private static Map<String, Tally> sum(Map<String, Tally> before, Map<String, Tally> more) {
    Map<String, Tally> sum = new HashMap<>(before);
    more.forEach((name, tally) -> sum.merge(name, tally, Tally::plus));
    return sum;
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // it runs already
    }
  }

  private Summary play(World world) {
    long start = world.clock().nanos();
    narrator.opens(world.setting());
    List<Step> steps = Step.all();
    List<StepReport> reports = new ArrayList<>();
    Map<String, Tally> before = Map.of();
    for (Step step : steps) {
      narrator.begins(reports.size() + 1, step.heading(world));
      StepReport report = Stage.play(step, world, narrator, before);
      reports.add(report);
      before = sum(before, report.traffic());
      if (!report.held()) {
        break;
      }
    }
    boolean held = reports.stream().allMatch(StepReport::held);
    Summary summary =
        new Summary(
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
