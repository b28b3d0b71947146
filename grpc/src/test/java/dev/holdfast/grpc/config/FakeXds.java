// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.base.Decoded;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.Watch;
import dev.holdfast.xds.client.XdsClient;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A client whose watchers are told what the test says, and nothing else. Single-threaded. */
public final class FakeXds implements XdsClient {
  private final List<FakeWatch<?>> watches = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();
  private boolean closed;

  /** What is watched: {@code LDS svc}, sorted. */
  public List<String> watched() {
    TreeSet<String> names = new TreeSet<>();
    watches.forEach(watch -> names.add(watch.toString()));
    return List.copyOf(names);
  }

  /** Which watches were ended, and how, since this was last asked. */
  public List<String> takeEnded() {
    List<String> taken = List.copyOf(ended);
    ended.clear();
    return taken;
  }

  public boolean isClosed() {
    return closed;
  }

  /** A good resource, decoded as from the wire. */
  public void send(String shortName, String name, Message resource) {
    ByteString bytes = resource.toByteString();
    tell(shortName, name, watch -> watch.changed(bytes));
  }

  /** The reason why there is no resource, in the engine's words. */
  public void fail(String shortName, String name, Status.Code code, String text) {
    Status status = error(shortName, name, code, text);
    tell(shortName, name, watch -> watch.watcher.onResourceChanged(StatusOr.fromStatus(status)));
  }

  /** An error beside a resource that stays in use. */
  public void ambient(String shortName, String name, Status.Code code, String text) {
    Status status = error(shortName, name, code, text);
    tell(shortName, name, watch -> watch.watcher.onAmbientError(status));
  }

  /** The end of such an error. */
  public void healed(String shortName, String name) {
    tell(shortName, name, watch -> watch.watcher.onAmbientError(Status.OK));
  }

  private static Status error(String shortName, String name, Status.Code code, String text) {
    return code.toStatus()
        .withDescription(shortName + " resource " + name + ": " + text + " (node ID:node-1)");
  }

  private interface Telling {
    void to(FakeWatch<?> watch);
  }

  private void tell(String shortName, String name, Telling telling) {
    List<FakeWatch<?>> told = watches.stream().filter(watch -> watch.is(shortName, name)).toList();
    if (told.isEmpty()) {
      throw new AssertionError("nobody watches " + shortName + " " + name + ": " + watched());
    }
    told.forEach(watch -> watch.executor.execute(() -> telling.to(watch)));
  }

  @Override
  public <T> Watch watch(
      ResourceType<T> type, String name, ResourceWatcher<? super T> watcher, Executor executor) {
    FakeWatch<T> watch = new FakeWatch<>(type, name, watcher, executor);
    watches.add(watch);
    return watch;
  }

  @Override
  public CompletionStage<List<ResourceStatus>> dump() {
    return CompletableFuture.completedStage(List.of());
  }

  @Override
  public void resetBackoff() {}

  @Override
  public void close() {
    closed = true;
    watches.clear();
  }

  private final class FakeWatch<T> implements Watch {
    private final ResourceType<T> type;
    private final String name;
    private final ResourceWatcher<T> watcher;
    private final Executor executor;

    @SuppressWarnings("unchecked") // watchers only read
    FakeWatch(
        ResourceType<T> type, String name, ResourceWatcher<? super T> watcher, Executor executor) {
      this.type = type;
      this.name = name;
      this.watcher = (ResourceWatcher<T>) watcher;
      this.executor = executor;
    }

    boolean is(String shortName, String wanted) {
      return type.shortName().equals(shortName) && name.equals(wanted);
    }

    void changed(ByteString bytes) {
      Decoded<T> decoded = type.decode(bytes, ServerConfig.insecure("xds.example:443"));
      T value =
          decoded.fold(
              Decoded.Valid::value,
              invalid -> {
                throw new AssertionError("bad resource of a test: " + invalid.problems());
              });
      watcher.onResourceChanged(StatusOr.fromValue(new Resource<>(name, "1", value)));
    }

    @Override
    public void cancel() {
      end("cancelled");
    }

    @Override
    public void cancelForReplacement() {
      end("replaced");
    }

    private void end(String how) {
      if (watches.remove(this)) {
        ended.add(this + " " + how);
      }
    }

    @Override
    public String toString() {
      return type.shortName() + " " + name;
    }
  }
}
