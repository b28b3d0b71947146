// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.controlplane.ObjectState;
import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.ShopObjects;
import java.io.IOException;

/** A change that an Envoy would die of, and an Envoy that serves nobody to die of it. */
final class ScoutStep implements Step {
  private static final EditRound ROUND = EditRound.SCRIPTS;

  @Override
  public boolean isFor(DemoEnvironment environment) {
    return environment.hasEnvoy();
  }

  @Override
  public StepHeading heading(DemoEnvironment environment) {
    return StepHeading.of(
        "scout",
        "A change that ends Envoy, and a scout",
        "The control plane starts again with --scout-envoy: an Envoy of its own, which serves nobody"
            + " and gets every change first. Then the script of team payments calls os.exit(1),"
            + " which ends every Envoy that loads it.");
  }

  @Override
  public void play(StepContext context) throws IOException {
    DemoEnvironment environment = context.environment();
    context.act();
    environment.controlPlane().kill();
    environment.controlPlane().startWithScout(environment.envoyProgram());
    context.awaitCheck("a new process is ready", () -> environment.controlPlane().isReady());
    context.awaitCheck(
        "its scout tries every change first",
        () -> environment.controlPlane().admin().hasScoutToAsk());
    context.awaitCheck(
        "the gRPC client is connected to it", () -> environment.events().isConnected());
    long generation = object(environment).generation();
    context.act();
    environment.save(ROUND.file(EditRound.OFFENDER), ShopObjects.deadlyScript(EditRound.OFFENDER));
    context.awaitCheck(
        "the change is held: ProxyDied", () -> object(environment).reason().equals("ProxyDied"));
    ObjectState held = object(environment);
    context.narrator().shows(held);
    context.check(
        "generation " + generation + " is served",
        held.generation() == generation + 1 && held.servedGeneration() == generation);
    context.awaitCalls("100 more calls of each client succeed", 100);
    context.check(
        "calls to payments get the same answers as before the edit",
        environment.seen(EditRound.OFFENDER).equals(ROUND.after()));
    environment.save(ROUND.file(EditRound.OFFENDER), ROUND.fixed());
    context.awaitCheck(
        "the author takes it back, and nothing is held",
        () ->
            object(environment).isProgrammed()
                && environment.controlPlane().admin().held().isEmpty());
  }

  private static ObjectState object(DemoEnvironment environment) throws IOException {
    return environment
        .controlPlane()
        .admin()
        .object(ROUND.kind(), ShopObjects.NAMESPACE, EditRound.OFFENDER.object());
  }
}
