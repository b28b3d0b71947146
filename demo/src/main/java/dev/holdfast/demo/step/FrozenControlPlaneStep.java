// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.shop.Team;
import java.io.IOException;

/** The control plane keeps its connections and says nothing. */
final class FrozenControlPlaneStep implements Step {
  private static final Team TEAM = Team.STOCK;

  @Override
  public StepHeading heading(DemoEnvironment world) {
    return StepHeading.of(
        "silence",
        "A control plane that goes silent",
        "The process is frozen (SIGSTOP): its connections stay open, nothing answers. The gRPC"
            + " client asks after ten seconds whether anybody is there, gives the connection up,"
            + " and cannot get another. That is an ambient error: known, told, and no reason to"
            + " stop using what works. This takes some twelve seconds. Meanwhile the team stock"
            + " saves an edit.");
  }

  @Override
  public void play(StepContext stage) throws IOException {
    DemoEnvironment world = stage.world();
    world.events().forget();
    stage.act();
    world.plane().freeze();
    stage.claimAmbientError("the gRPC client notices the silence");
    // Not earlier: a process that is told to stop may still do something in its last moment.
    world.save(EditRound.ROUTES.file(TEAM), ShopObjects.routes(TEAM, "v2"));
    stage.claimCalls("100 more calls of each client are answered", 100);
    stage.act();
    world.plane().thaw();
    stage.claim("awake again, it is heard again", () -> world.events().isConnected());
    stage.claim(
        "the edit made meanwhile is in force: stock is answered by v2",
        () -> world.isAnsweredBy(TEAM, "v2"));
  }
}
