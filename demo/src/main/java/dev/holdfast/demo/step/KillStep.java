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

/** The control plane dies, and another process takes its place. */
final class KillStep implements Step {
  private static final int KILLED = 128 + 9;
  private static final Team TEAM = Team.SEARCH;
  private static final Set<String> AUTHORS_KINDS = Set.of("HTTPProxy", "ExtensionPolicy");

  @Override
  public StepHeading heading(DemoEnvironment world) {
    return StepHeading.of(
        "kill",
        "kill -9 of the control plane, and its return",
        "The control plane dies without a goodbye. Clients keep what they have. While it is away,"
            + " the team search saves an edit. Then it is started again, with the state that it"
            + " left on the disk.");
  }

  @Override
  public void play(StepContext stage) throws IOException {
    DemoEnvironment world = stage.world();
    Map<String, Long> before = generations(world);
    world.events().forget();
    stage.act();
    stage.check("the process is dead (exit code 137)", world.plane().kill() == KILLED);
    world.save(EditRound.ROUTES.file(TEAM), ShopObjects.routes(TEAM, "v2"));
    stage.claimAmbientError("the gRPC client notices");
    stage.claimCalls("100 more calls of each client are answered without it", 100);
    stage.act();
    world.plane().start();
    stage.claim("a new process is ready", () -> world.plane().isReady());
    stage.claim("the gRPC client is connected to it", () -> world.events().isConnected());
    stage.claim(
        "the edit made meanwhile is in force: search is answered by v2",
        () -> world.isAnsweredBy(TEAM, "v2"));
    before.merge("HTTPProxy/" + TEAM.object(), 1L, Long::sum);
    stage.claim(
        "all " + before.size() + " objects of the teams are Programmed=True, as they were before",
        () -> generations(world).equals(before));
  }

  /** Of what the teams wrote, as far as it is in force. */
  private static Map<String, Long> generations(DemoEnvironment world) throws IOException {
    Map<String, Long> generations = new TreeMap<>();
    for (ObjectState object : world.plane().admin().objects()) {
      if (AUTHORS_KINDS.contains(object.kind()) && object.isProgrammed()) {
        generations.put(object.id(), object.generation());
      }
    }
    return generations;
  }
}
