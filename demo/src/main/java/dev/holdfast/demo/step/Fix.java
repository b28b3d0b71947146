// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.report.Heading;
import dev.holdfast.demo.shop.Round;
import dev.holdfast.demo.world.World;
import java.io.IOException;

/** The author's next edit. */
final class Fix implements Step {
  @Override
  public Heading heading(World world) {
    return Heading.of(
        "fix",
        "The fix",
        world.round() == Round.SCRIPTS
            ? "The author of payments puts the bracket back and saves."
            : "The author of payments takes the long expression out and saves.");
  }

  @Override
  public void play(Stage stage) throws IOException {
    World world = stage.world();
    Round round = world.round();
    stage.act();
    world.save(round.file(Round.CULPRIT), round.fixed());
    stage.claim(
        "calls to payments see the change", () -> world.seen(Round.CULPRIT).equals(round.after()));
    stage.claim(
        "its status is Programmed=True for generation 3",
        () -> {
          var fixed = world.plane().admin().object(round.kind(), "shop", Round.CULPRIT.object());
          return fixed.isProgrammed() && fixed.generation() == 3;
        });
    stage.claim("nothing is held", () -> world.plane().admin().held().isEmpty());
    stage
        .narrator()
        .shows(world.plane().admin().object(round.kind(), "shop", Round.CULPRIT.object()));
  }
}
