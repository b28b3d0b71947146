// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc;

import dev.holdfast.grpc.load.LoadReporter;
import dev.holdfast.grpc.load.LoadReports;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.Watch;
import dev.holdfast.xds.client.XdsClient;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** A client that takes along what was set up for it when it is closed. */
final class AssembledClient implements DataPlaneClient {
  private final XdsClient client;
  private final LoadReporter loads;
  private final List<Runnable> onClose;

  AssembledClient(XdsClient client, LoadReporter loads, List<Runnable> onClose) {
    this.client = client;
    this.loads = loads;
    this.onClose = List.copyOf(onClose);
  }

  @Override
  public <T> Watch watch(
      ResourceType<T> type, String name, ResourceWatcher<? super T> watcher, Executor executor) {
    return client.watch(type, name, watcher, executor);
  }

  @Override
  public CompletionStage<List<ResourceStatus>> dump() {
    return client.dump();
  }

  @Override
  public void resetBackoff() {
    client.resetBackoff();
  }

  @Override
  public LoadReports loadReports() {
    return loads;
  }

  @Override
  public void close() {
    loads.close();
    client.close();
    onClose.forEach(Runnable::run);
  }
}
