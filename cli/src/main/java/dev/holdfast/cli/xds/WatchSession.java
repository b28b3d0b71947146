// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.protobuf.Message;
import dev.holdfast.cli.output.Console;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.Watch;
import dev.holdfast.xds.client.XdsClient;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * The watches of one {@code xds watch}. Commands come from one thread at a time; everything that is
 * printed is printed on {@code printing}, in the order in which it happened. A slow reader of our
 * output thus slows the server down instead of filling our memory: the engine reads the next
 * response only when the watchers are done.
 */
final class WatchSession implements SessionCommand.Handler {
  private final XdsClient client;
  private final RawResourceTypes types;
  private final WatchOutput output;
  private final Console console;
  private final Executor printing;
  private final Runnable onQuit;
  private final Map<ResourceKey, Deque<Watch>> watches = new HashMap<>();

  WatchSession(
      WatchClient connections,
      WatchOutput output,
      Console console,
      Executor printing,
      Runnable onQuit) {
    this.client = connections.client();
    this.types = connections.types();
    this.output = output;
    this.console = console;
    this.printing = printing;
    this.onQuit = onQuit;
  }

  @Override
  public void watch(ResourceKey key) {
    Watch watch = client.watch(types.of(key.type()), key.name(), watcher(key), printing);
    watches.computeIfAbsent(key, unused -> new ArrayDeque<>()).push(watch);
  }

  @Override
  public void cancel(ResourceKey key) {
    Deque<Watch> stack = watches.get(key);
    if (stack == null) {
      console.note("cancel " + key + ": it is not watched");
      return;
    }
    stack.pop().cancel();
    if (stack.isEmpty()) {
      watches.remove(key);
    }
  }

  /**
   * Returns when the dump has been printed, so that a {@code quit} that follows does not hide it.
   */
  @Override
  public void dump() {
    try {
      client
          .dump()
          .thenAcceptAsync(
              statuses -> output.dump(Entry.sorted(statuses.stream().map(Entry::of).toList())),
              printing)
          .toCompletableFuture()
          .join();
    } catch (CompletionException e) {
      console.note("dump: " + e.getCause());
    }
  }

  @Override
  public void quit() {
    onQuit.run();
  }

  private ResourceWatcher<Message> watcher(ResourceKey key) {
    return new ResourceWatcher<>() {
      @Override
      public void onResourceChanged(StatusOr<Resource<Message>> resource) {
        output.resourceChanged(key, resource);
      }

      @Override
      public void onAmbientError(Status status) {
        output.ambientError(key, status);
      }
    };
  }
}
