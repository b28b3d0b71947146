// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.controlplane.ObjectState;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.shop.Team;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The control plane is killed, and a new process takes over. */
final class KillStep implements Step {
  private static final int KILLED = 128 + 9;
  private static final Team TEAM = Team.SEARCH;
  private static final Set<String> AUTHORS_KINDS = Set.of("HTTPProxy", "ExtensionPolicy");

  @Override
  public StepHeading heading(DemoEnvironment environment) {
    return StepHeading.of(
        "kill",
        "kill -9 of the control plane, and a restart",
        "The control plane is killed. Clients keep their configuration. While it is down, team"
            + " search saves an edit. Then the control plane starts again with the state that is on"
            + " disk.");
  }

  @Override
  public void play(StepContext context) throws IOException {
    DemoEnvironment environment = context.environment();
    Map<String, Long> before = generations(environment);
    environment.events().forget();
    context.act();
    context.check(
        "the process is dead (exit code 137)", environment.controlPlane().kill() == KILLED);
    environment.save(EditRound.ROUTES.file(TEAM), ShopObjects.routes(TEAM, "v2"));
    context.checkAmbientError("the gRPC client reports the lost connection");
    context.awaitCalls("100 more calls of each client succeed without the control plane", 100);
    context.act();
    environment.controlPlane().start();
    context.awaitCheck("a new process is ready", () -> environment.controlPlane().isReady());
    context.awaitCheck(
        "the gRPC client is connected to it", () -> environment.events().isConnected());
    context.awaitCheck(
        "the edit made meanwhile is live: v2 answers calls to search",
        () -> environment.isAnsweredBy(TEAM, "v2"));
    before.merge("HTTPProxy/" + TEAM.object(), 1L, Long::sum);
    context.awaitCheck(
        "all " + before.size() + " objects of the teams are Programmed=True, as before",
        () -> generations(environment).equals(before));
  }

  /** Of what the teams wrote, as far as it is in force. */
  private static Map<String, Long> generations(DemoEnvironment environment) throws IOException {
    Map<String, Long> generations = new TreeMap<>();
    for (ObjectState object : environment.controlPlane().admin().objects()) {
      if (AUTHORS_KINDS.contains(object.kind()) && object.isProgrammed()) {
        generations.put(object.id(), object.generation());
      }
    }
    return generations;
  }
}
