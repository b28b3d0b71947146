// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** One step of the demo: an action and the checks of its result. */
public interface Step {
  /** The steps, in order. Each continues from the end of the one before. */
  static List<Step> all(DemoEnvironment environment) {
    return Stream.of(
            new GoodChangeStep(),
            new BadChangeStep(),
            new SearchStep(),
            new HoldStep(),
            new FixStep(),
            new KillStep(),
            new FrozenControlPlaneStep(),
            new MissingResourceStep(),
            new ScoutStep())
        .filter(step -> step.isFor(environment))
        .toList();
  }

  /** Whether it can be played with what there is. */
  default boolean isFor(DemoEnvironment environment) {
    return true;
  }

  StepHeading heading(DemoEnvironment environment);

  /**
   * Runs the step.
   *
   * @throws CheckFailedException if a check of the step fails
   * @throws IOException if an action failed
   */
  void play(StepContext context) throws IOException;
}
