// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.csds;

import dev.holdfast.testkit.Recorder;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.Watch;
import dev.holdfast.xds.client.XdsClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A client that only has a dump. */
final class FakeClient implements XdsClient {
  CompletableFuture<List<ResourceStatus>> dump = new CompletableFuture<>();
  final Recorder<String> asked = new Recorder<>("dump");

  static FakeClient of(ResourceStatus... resources) {
    FakeClient client = new FakeClient();
    client.dump.complete(List.of(resources));
    return client;
  }

  @Override
  public <T> Watch watch(
      ResourceType<T> type, String name, ResourceWatcher<? super T> watcher, Executor executor) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<List<ResourceStatus>> dump() {
    asked.add("dump");
    return dump;
  }

  @Override
  public void resetBackoff() {}

  @Override
  public void close() {}
}
