// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.shop.Team;
import java.io.IOException;

/** The control plane keeps its connections open but does not respond. */
final class FrozenControlPlaneStep implements Step {
  private static final Team TEAM = Team.STOCK;

  @Override
  public StepHeading heading(DemoEnvironment environment) {
    return StepHeading.of(
        "silence",
        "A frozen control plane",
        "SIGSTOP freezes the process: its connections stay open, but it does not respond. After ten"
            + " seconds the gRPC client sends a keepalive ping, drops the connection and cannot open"
            + " another. That is an ambient error: the client reports it and keeps using its"
            + " configuration. This takes about twelve seconds. Meanwhile team stock saves an edit.");
  }

  @Override
  public void play(StepContext context) throws IOException {
    DemoEnvironment environment = context.environment();
    environment.events().forget();
    context.act();
    environment.controlPlane().freeze();
    context.checkAmbientError("the gRPC client reports the lost connection");
    // Not earlier: a process that is told to stop may still do something in its last moment.
    environment.save(EditRound.ROUTES.file(TEAM), ShopObjects.routes(TEAM, "v2"));
    context.awaitCalls("100 more calls of each client succeed", 100);
    context.act();
    environment.controlPlane().thaw();
    context.awaitCheck(
        "after SIGCONT the gRPC client is connected again",
        () -> environment.events().isConnected());
    context.awaitCheck(
        "the edit made meanwhile is live: v2 answers calls to stock",
        () -> environment.isAnsweredBy(TEAM, "v2"));
  }
}
