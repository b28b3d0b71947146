// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import java.io.IOException;

/** The author's next edit. */
final class FixStep implements Step {
  @Override
  public StepHeading heading(DemoEnvironment environment) {
    return StepHeading.of(
        "fix",
        "The fix",
        environment.round() == EditRound.SCRIPTS
            ? "Team payments puts the bracket back and saves the file."
            : "Team payments removes the long expression and saves the file.");
  }

  @Override
  public void play(StepContext context) throws IOException {
    DemoEnvironment environment = context.environment();
    EditRound round = environment.round();
    context.act();
    environment.save(round.file(EditRound.OFFENDER), round.fixed());
    context.awaitCheck(
        "calls to payments see the change",
        () -> environment.seen(EditRound.OFFENDER).equals(round.after()));
    context.awaitCheck(
        "its status is Programmed=True for generation 3",
        () -> {
          var fixed =
              environment
                  .controlPlane()
                  .admin()
                  .object(round.kind(), "shop", EditRound.OFFENDER.object());
          return fixed.isProgrammed() && fixed.generation() == 3;
        });
    context.awaitCheck(
        "nothing is held", () -> environment.controlPlane().admin().held().isEmpty());
    context
        .narrator()
        .shows(
            environment
                .controlPlane()
                .admin()
                .object(round.kind(), "shop", EditRound.OFFENDER.object()));
  }
}
