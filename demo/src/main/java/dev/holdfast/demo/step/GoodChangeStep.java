// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.controlplane.ObjectState;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.shop.Team;
import java.io.IOException;

/** How it should be. */
final class GoodChangeStep implements Step {
  private static final Team TEAM = Team.CART;

  @Override
  public StepHeading heading(DemoEnvironment world) {
    return StepHeading.of(
        "good-change",
        "A good change",
        "The team cart moves from backend v1 to v2: it saves one file. Every proxy is sent the new"
            + " route and says that it runs it.");
  }

  @Override
  public void play(StepContext stage) throws IOException {
    DemoEnvironment world = stage.world();
    stage.act();
    world.save(EditRound.ROUTES.file(TEAM), ShopObjects.routes(TEAM, "v2"));
    stage.claim("calls to cart are answered by v2", () -> world.isAnsweredBy(TEAM, "v2"));
    stage.claim(
        "its status is Programmed=True for generation 2",
        () -> {
          ObjectState cart = world.plane().admin().object("HTTPProxy", "shop", "cart");
          return cart.isProgrammed() && cart.generation() == 2;
        });
    stage.narrator().shows(world.plane().admin().object("HTTPProxy", "shop", "cart"));
  }
}
