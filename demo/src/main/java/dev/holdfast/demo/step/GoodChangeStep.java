// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.controlplane.ObjectState;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.shop.Team;
import java.io.IOException;

/** A change that every proxy accepts. */
final class GoodChangeStep implements Step {
  private static final Team TEAM = Team.CART;

  @Override
  public StepHeading heading(DemoEnvironment environment) {
    return StepHeading.of(
        "good-change",
        "A good change",
        "Team cart moves from backend v1 to v2 and saves one file. The control plane sends the new"
            + " route to every proxy, and every proxy acknowledges it.");
  }

  @Override
  public void play(StepContext context) throws IOException {
    DemoEnvironment environment = context.environment();
    context.act();
    environment.save(EditRound.ROUTES.file(TEAM), ShopObjects.routes(TEAM, "v2"));
    context.awaitCheck("v2 answers calls to cart", () -> environment.isAnsweredBy(TEAM, "v2"));
    context.awaitCheck(
        "its status is Programmed=True for generation 2",
        () -> {
          ObjectState cart = environment.controlPlane().admin().object("HTTPProxy", "shop", "cart");
          return cart.isProgrammed() && cart.generation() == 2;
        });
    context
        .narrator()
        .shows(environment.controlPlane().admin().object("HTTPProxy", "shop", "cart"));
  }
}
