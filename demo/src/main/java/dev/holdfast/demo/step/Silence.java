// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.report.Heading;
import dev.holdfast.demo.shop.Round;
import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.shop.Team;
import dev.holdfast.demo.world.World;
import java.io.IOException;

/** The control plane keeps its connections and says nothing. */
final class Silence implements Step {
  private static final Team TEAM = Team.STOCK;

  @Override
  public Heading heading(World world) {
    return Heading.of(
        "silence",
        "A control plane that goes silent",
        "The process is frozen (SIGSTOP): its connections stay open, nothing answers. The gRPC"
            + " client asks after ten seconds whether anybody is there, gives the connection up, and"
            + " cannot get another. That is an ambient error: known, told, and no reason to stop"
            + " using what works. This takes some twelve seconds. Meanwhile the team stock saves an"
            + " edit.");
  }

  @Override
  public void play(Stage stage) throws IOException {
    World world = stage.world();
    world.events().forget();
    stage.act();
    world.plane().freeze();
    stage.claimAmbientError("the gRPC client notices the silence");
    // Not earlier: a process that is told to stop may still do something in its last moment.
    world.save(Round.ROUTES.file(TEAM), ShopObjects.routes(TEAM, "v2"));
    stage.claimCalls("100 more calls of each client are answered", 100);
    stage.act();
    world.plane().thaw();
    stage.claim("awake again, it is heard again", () -> world.events().isConnected());
    stage.claim(
        "the edit made meanwhile is in force: stock is answered by v2",
        () -> world.isAnsweredBy(TEAM, "v2"));
  }
}
