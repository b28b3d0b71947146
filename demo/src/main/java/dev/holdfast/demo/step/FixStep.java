// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import java.io.IOException;

/** The author's next edit. */
final class FixStep implements Step {
  @Override
  public StepHeading heading(DemoEnvironment world) {
    return StepHeading.of(
        "fix",
        "The fix",
        world.round() == EditRound.SCRIPTS
            ? "The author of payments puts the bracket back and saves."
            : "The author of payments takes the long expression out and saves.");
  }

  @Override
  public void play(StepContext stage) throws IOException {
    DemoEnvironment world = stage.world();
    EditRound round = world.round();
    stage.act();
    world.save(round.file(EditRound.CULPRIT), round.fixed());
    stage.claim(
        "calls to payments see the change",
        () -> world.seen(EditRound.CULPRIT).equals(round.after()));
    stage.claim(
        "its status is Programmed=True for generation 3",
        () -> {
          var fixed =
              world.plane().admin().object(round.kind(), "shop", EditRound.CULPRIT.object());
          return fixed.isProgrammed() && fixed.generation() == 3;
        });
    stage.claim("nothing is held", () -> world.plane().admin().held().isEmpty());
    stage
        .narrator()
        .shows(world.plane().admin().object(round.kind(), "shop", EditRound.CULPRIT.object()));
  }
}
