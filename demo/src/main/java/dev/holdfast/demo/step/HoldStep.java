// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.controlplane.ObjectState;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import java.io.IOException;
import java.util.List;

/** The author's status message, and the generation that stays live. */
final class HoldStep implements Step {
  @Override
  public StepHeading heading(DemoEnvironment environment) {
    return StepHeading.of(
        "hold",
        "The hold",
        "Only the bad edit is held. The previous generation of payments stays live, and its status"
            + " tells the author which object was rejected, by which proxy, and why.");
  }

  @Override
  public void play(StepContext context) throws IOException {
    DemoEnvironment environment = context.environment();
    EditRound round = environment.round();
    context.act();
    ObjectState held =
        environment
            .controlPlane()
            .admin()
            .object(round.kind(), "shop", EditRound.OFFENDER.object());
    context.check(
        "generation 2 is held and generation 1 is served",
        held.generation() == 2 && held.servedGeneration() == 1);
    context.narrator().shows(held);
    context.check(
        "its status is Programmed=False, reason Rejected, with the proxy's error",
        held.programmed().equals("False")
            && held.reason().equals("Rejected")
            && held.message().contains(words(round)));
    context.check(
        "nothing else is held",
        environment.controlPlane().admin().held().equals(List.of(BadChangeStep.offender(round))));
    context.awaitCalls("100 more calls of each client succeed", 100);
    context.check(
        "calls to payments get the same answers as before the edit",
        environment.seen(EditRound.OFFENDER).equals(round.before()));
  }

  /** A part of the error that the proxy reports for the mistake. */
  private static String words(EditRound round) {
    return round == EditRound.SCRIPTS ? "script load error" : "a regular expression of";
  }
}
