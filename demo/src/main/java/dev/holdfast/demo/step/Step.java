// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import java.io.IOException;
import java.util.List;

/** Something that is done, and what is claimed to come of it. */
public interface Step {
  /** All, in their order. Each begins where the one before it ended. */
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

  StepHeading heading(DemoEnvironment world);

  /**
   * Does it.
   *
   * @throws CheckFailedException if a check of the step fails
   * @throws IOException if something could not be done
   */
  void play(StepContext stage) throws IOException;
}
