// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.traffic.Caller;
import dev.holdfast.demo.traffic.ClientEvents;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;

/** A client asks for something that nobody has. */
final class MissingResourceStep implements Step {
  private static final String HOST = "shpo.example.com";

  /** After which a client that is told nothing gives up (gRFC A53). */
  private static final int TIMER_SECONDS = 15;

  @Override
  public StepHeading heading(DemoEnvironment world) {
    return StepHeading.of(
        "missing",
        "A resource that does not exist",
        "Another client misspells the host. The xDS protocol has no word for \"there is none\", so"
            + " clients wait for 15 seconds. With xRFC TP3 the control plane says so at once, and"
            + " why; the call fails with the reason.");
  }

  @Override
  public void play(StepContext stage) {
    DemoEnvironment world = stage.world();
    CompletableFuture<Status> outcome = new CompletableFuture<>();
    stage.act();
    long start = world.clock().nanos();
    try (Caller stranger = world.stranger(HOST, new ClientEvents())) {
      stranger.call("shop.Cart", (status, answer) -> outcome.complete(status));
      stage.claim("the call to xds:///" + HOST + " fails", outcome::isDone);
    }
    Status status = outcome.join();
    long seconds = world.clock().since(start).toSeconds();
    stage.narrator().quotes("the call", StatusText.of(status));
    stage.check(
        "with the reason: no object has this host",
        status.getCode() == Status.Code.UNAVAILABLE
            && StatusText.of(status).contains("no object has the host " + HOST));
    stage.check("sooner than the timer of " + TIMER_SECONDS + " s", seconds < TIMER_SECONDS);
  }
}
