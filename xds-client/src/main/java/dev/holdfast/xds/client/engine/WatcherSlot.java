// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.ResourceWatcher;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One watcher and what it has been told. */
final class WatcherSlot<T> {
  private final ResourceWatcher<? super T> watcher;
  private final SerialCalls calls;
  private final EngineContext context;

  // Loop only.
  private View<T> told = View.nothing();

  // Any thread.
  private volatile boolean cancelled;

  WatcherSlot(ResourceWatcher<? super T> watcher, Executor executor, EngineContext context) {
    this.watcher = watcher;
    calls = new SerialCalls(executor);
    this.context = context;
  }

  void cancel() {
    cancelled = true;
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Tells the watcher what it does not know yet. It knows what its executor has taken on. */
  void tell(View<T> view, @Nullable ReadBarrier barrier) {
    if (view.isNothing()) {
      return; // what the watcher was told last, if anything, still stands
    }
    if (view.resource() == null) {
      if (!view.sameError(told) && call(barrier, () -> announce(view))) {
        told = view;
      }
      return;
    }
    if (!view.sameResource(told)) {
      if (!call(barrier, () -> announce(view))) {
        return;
      }
      told = View.resource(view.resource(), null);
    }
    if (!view.sameAmbient(told)) {
      Status ambient = view.ambient() == null ? Status.OK : view.ambient();
      if (call(barrier, () -> watcher.onAmbientError(ambient))) {
        told = view;
      }
    }
  }

  @SuppressWarnings(
      "unchecked") // a watcher of a supertype may be handed a Resource<T>: records only read
  private void announce(View<T> view) {
    ResourceWatcher<T> typed = (ResourceWatcher<T>) watcher;
    if (view.resource() != null) {
      typed.onResourceChanged(StatusOr.fromValue(view.resource()));
    } else if (view.error() != null) {
      typed.onResourceChanged(StatusOr.fromStatus(view.error()));
    }
  }

  /** Returns whether the call will be made, or has been. */
  private boolean call(@Nullable ReadBarrier barrier, Runnable callback) {
    if (barrier != null) {
      barrier.hold();
    }
    Runnable task =
        () -> {
          try {
            if (!cancelled && !context.closed) {
              callback.run();
            }
          } catch (Throwable e) { // whatever a watcher does, the others and the stream go on
            context.observer.uncaught(e);
          } finally {
            if (barrier != null) {
              barrier.release();
            }
          }
        };
    try {
      calls.execute(task);
      return true;
    } catch (Throwable e) { // a pool that is shut down or full must not stop the stream
      context.observer.uncaught(e);
      if (barrier != null) {
        barrier.release();
      }
      return false;
    }
  }
}
