// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import java.io.IOException;
import java.util.List;

/** One step of the demo: an action and the checks of its result. */
public interface Step {
  /** All steps, in order. Each continues from the end of the one before. */
  static List<Step> all() {
    return List.of(
        new GoodChangeStep(),
        new BadChangeStep(),
        new SearchStep(),
        new HoldStep(),
        new FixStep(),
        new KillStep(),
        new FrozenControlPlaneStep(),
        new MissingResourceStep());
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
