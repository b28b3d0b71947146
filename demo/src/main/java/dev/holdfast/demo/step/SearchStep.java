// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.controlplane.Incident;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** How the one to blame was found. */
final class SearchStep implements Step {
  /** Of one culprit among ten: the first answer, and at most ceil(log2 10) + 1 more. */
  private static final int MOST_TRIALS = 6;

  @Override
  public StepHeading heading(DemoEnvironment world) {
    return StepHeading.of(
        "search",
        "The search for the one to blame",
        world.round() == EditRound.SCRIPTS ? scripts() : routes());
  }

  private static String scripts() {
    return "The proxy said no to all ten together, and what it said names no object. So one proxy"
               + " of its kind, the canary, was shown parts of the edit, until one change was left"
               + " without which it says yes and with which it says no. Whatever it said yes to was"
               + " in force at once.";
  }

  private static String routes() {
    return "The proxy said no to all ten together, and at which route it stopped. Whose route that"
               + " is the control plane knows; that nothing else is wrong remains to be seen. So"
               + " one proxy of its kind, the canary, was shown all but that change: it says yes"
               + " without it, and no with it. What it said yes to was in force at once.";
  }

  @Override
  public void play(StepContext stage) throws IOException {
    DemoEnvironment world = stage.world();
    stage.act();
    stage.claim("the search is over", () -> incident(world).isPresent());
    Incident incident = incident(world).orElseThrow(() -> new IOException("no incident"));
    stage.narrator().quotes(incident.by() + " on " + incident.resource(), incident.message());
    stage.narrator().searched(incident);
    stage.check(
        "it blames one object, the right one",
        incident.culprits().equals(List.of(BadChangeStep.culprit(world.round()))));
    stage.check("in at most " + MOST_TRIALS + " trials", incident.trials().size() <= MOST_TRIALS);
  }

  private static Optional<Incident> incident(DemoEnvironment world) throws IOException {
    return world.plane().admin().lastIncident();
  }
}
