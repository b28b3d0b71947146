// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.XdsTransportFactory;
import java.time.Duration;
import java.time.Instant;

/** What all parts of one engine share. */
final class EngineContext {
  final XdsClientConfig config;
  final XdsTransportFactory transports;
  final Env env;
  final XdsClientObserver observer;
  final Errors errors;
  final Loop loop;

  // Any thread.
  volatile boolean closed;

  // Loop only.
  private long sequence;
  private boolean endOfTurnRequested;
  private Runnable endOfTurn = () -> {};

  EngineContext(
      XdsClientConfig config, XdsTransportFactory transports, Env env, XdsClientObserver observer) {
    this.config = config;
    this.transports = transports;
    this.env = env;
    this.observer = new GuardedObserver(observer);
    errors = new Errors(config.node().getId());
    loop = new Loop(env.executor(), this.observer::uncaught);
  }

  /** Orders events of this engine; never repeats. */
  long nextSequence() {
    return ++sequence;
  }

  void onEndOfTurn(Runnable task) {
    endOfTurn = task;
  }

  /** Asks for one look at everything that may have to be sent, opened or closed after this turn. */
  void reviewSoon() {
    if (!endOfTurnRequested) {
      endOfTurnRequested = true;
      loop.atEndOfTurn(
          () -> {
            endOfTurnRequested = false;
            endOfTurn.run();
          });
    }
  }

  Instant now() {
    return env.time().now();
  }

  long nanoTime() {
    return env.time().nanoTime();
  }

  /** Runs {@code task} on the loop after {@code delay}. */
  TimeSource.Timer schedule(Duration delay, Runnable task) {
    return env.time().schedule(delay, () -> loop.execute(task));
  }
}
