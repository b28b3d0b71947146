// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.report.Heading;
import dev.holdfast.demo.world.World;
import java.io.IOException;
import java.util.List;

/** Something that is done, and what is claimed to come of it. */
public interface Step {
  /** All, in their order. Each begins where the one before it ended. */
  static List<Step> all() {
    return List.of(
        new GoodChange(),
        new BadChange(),
        new Search(),
        new Hold(),
        new Fix(),
        new Kill(),
        new Silence(),
        new Missing());
  }

  Heading heading(World world);

  /**
   * Does it.
   *
   * @throws Unheld if something that was claimed is not so
   * @throws IOException if something could not be done
   */
  void play(Stage stage) throws IOException;
}
