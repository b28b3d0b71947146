// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import dev.holdfast.base.Env;
import dev.holdfast.xds.client.engine.Engine;
import dev.holdfast.xds.client.transport.XdsTransportFactory;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Watches resources on xDS servers and keeps them, through every failure that gRFC A57, A88 and
 * xRFC TP3 describe. Thread-safe; no method blocks.
 */
public interface XdsClient extends AutoCloseable {

  /** A client. It connects when the first watch needs it to. */
  static XdsClient create(
      XdsClientConfig config, XdsTransportFactory transports, Env env, XdsClientObserver observer) {
    return new Engine(config, transports, env, observer);
  }

  /**
   * Starts watching a resource. The watcher is called from {@code executor}, one call at a time and
   * in order; the server's next response is read when all watchers have returned from what the
   * previous one caused. After {@link #close} this does nothing.
   */
  <T> Watch watch(
      ResourceType<T> type, String name, ResourceWatcher<? super T> watcher, Executor executor);

  /** Starts watching; the watcher is called from the engine's loop and must not block. */
  default <T> Watch watch(ResourceType<T> type, String name, ResourceWatcher<? super T> watcher) {
    return watch(type, name, watcher, Runnable::run);
  }

  /** Every watched resource, by type and name, as of one moment. */
  CompletionStage<List<ResourceStatus>> dump();

  /** Retries unreachable servers now, and from now on as if they had never failed. */
  void resetBackoff();

  /** Ends all watches and streams. Idempotent; watchers hear nothing more. */
  @Override
  void close();
}
