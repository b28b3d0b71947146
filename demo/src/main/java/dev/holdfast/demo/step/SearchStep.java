// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.controlplane.Incident;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** How the control plane found the offending object. */
final class SearchStep implements Step {
  /** For one offending object among ten: the first trial, and at most ceil(log2 10) + 1 more. */
  private static final int MOST_TRIALS = 6;

  @Override
  public StepHeading heading(DemoEnvironment environment) {
    return StepHeading.of(
        "search",
        "The search for the offending object",
        environment.round() == EditRound.SCRIPTS ? scripts() : routes());
  }

  private static String scripts() {
    return "The proxy rejected all ten changes together, and its error names no object. So the"
        + " control plane sent subsets of the changes to one canary proxy, until it had one"
        + " change that the canary rejects and without which it accepts. Every accepted"
        + " subset went live at once.";
  }

  private static String routes() {
    return "The client rejected all ten changes together, and its error names a route. The control"
        + " plane knows which object that route comes from. To prove it, the control plane"
        + " sent all other changes to one canary: it accepts them without that change and"
        + " rejects them with it. The accepted changes went live at once.";
  }

  @Override
  public void play(StepContext context) throws IOException {
    DemoEnvironment environment = context.environment();
    context.act();
    context.awaitCheck("the search is over", () -> incident(environment).isPresent());
    Incident incident = incident(environment).orElseThrow(() -> new IOException("no incident"));
    context.narrator().quotes(incident.by() + " on " + incident.resource(), incident.message());
    context.narrator().searched(incident);
    context.check(
        "it found exactly the offending object",
        incident.offendingObjects().equals(List.of(BadChangeStep.offender(environment.round()))));
    context.check(
        "the search took at most " + MOST_TRIALS + " trials",
        incident.trials().size() <= MOST_TRIALS);
  }

  private static Optional<Incident> incident(DemoEnvironment environment) throws IOException {
    return environment.controlPlane().admin().lastIncident();
  }
}
