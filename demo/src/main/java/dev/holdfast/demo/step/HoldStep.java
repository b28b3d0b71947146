// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.controlplane.ObjectState;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import java.io.IOException;
import java.util.List;

/** What its author is told, and what is served meanwhile. */
final class HoldStep implements Step {
  @Override
  public StepHeading heading(DemoEnvironment world) {
    return StepHeading.of(
        "hold",
        "The hold",
        "The bad edit is held, nobody else's is. What payments said before stays in force, and its"
            + " author is told which object it was, who refused it, and why.");
  }

  @Override
  public void play(StepContext stage) throws IOException {
    DemoEnvironment world = stage.world();
    EditRound round = world.round();
    stage.act();
    ObjectState held =
        world.plane().admin().object(round.kind(), "shop", EditRound.CULPRIT.object());
    stage.check(
        "generation 2 is held and generation 1 is served",
        held.generation() == 2 && held.servedGeneration() == 1);
    stage.narrator().shows(held);
    stage.check(
        "its status is Programmed=False, reason Rejected, with the proxy's words",
        held.programmed().equals("False")
            && held.reason().equals("Rejected")
            && held.message().contains(words(round)));
    stage.check(
        "nothing else is held",
        world.plane().admin().held().equals(List.of(BadChangeStep.culprit(round))));
    stage.claimCalls("100 more calls of each client are answered", 100);
    stage.check(
        "those to payments as before the edit",
        world.seen(EditRound.CULPRIT).equals(round.before()));
  }

  /** What the proxies that judge say of the mistake. */
  private static String words(EditRound round) {
    return round == EditRound.SCRIPTS ? "script load error" : "a regular expression of";
  }
}
