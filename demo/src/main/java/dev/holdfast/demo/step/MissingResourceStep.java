// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

import dev.holdfast.demo.environment.DemoEnvironment;
import dev.holdfast.demo.report.StepHeading;
import dev.holdfast.demo.traffic.Caller;
import dev.holdfast.demo.traffic.ClientEvents;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;

/** A client subscribes to a resource that does not exist. */
final class MissingResourceStep implements Step {
  private static final String HOST = "shpo.example.com";

  /** After which a client that is told nothing gives up (gRFC A53). */
  private static final int TIMER_SECONDS = 15;

  @Override
  public StepHeading heading(DemoEnvironment environment) {
    return StepHeading.of(
        "missing",
        "A resource that does not exist",
        "Another client misspells the host. Plain xDS cannot say that a resource does not exist, so"
            + " clients wait for 15 seconds. With xRFC TP3 the control plane sends the reason at"
            + " once, and the call fails with it.");
  }

  @Override
  public void play(StepContext context) {
    DemoEnvironment environment = context.environment();
    CompletableFuture<Status> outcome = new CompletableFuture<>();
    context.act();
    long start = environment.clock().nanos();
    try (Caller stranger = environment.stranger(HOST, new ClientEvents())) {
      stranger.call("shop.Cart", (status, answer) -> outcome.complete(status));
      context.awaitCheck("the call to xds:///" + HOST + " fails", outcome::isDone);
    }
    Status status = outcome.join();
    long seconds = environment.clock().since(start).toSeconds();
    context.narrator().quotes("the call", StatusText.of(status));
    context.check(
        "the error has the reason: no object has this host",
        status.getCode() == Status.Code.UNAVAILABLE
            && StatusText.of(status).contains("no object has the host " + HOST));
    context.check(
        "the call fails before the " + TIMER_SECONDS + " s timer", seconds < TIMER_SECONDS);
  }
}
