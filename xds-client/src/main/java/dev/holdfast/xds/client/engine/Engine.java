// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.base.Env;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.Watch;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.XdsTransportFactory;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** The engine behind {@link XdsClient}. */
public final class Engine implements XdsClient {
  public Engine(
      XdsClientConfig config,
      XdsTransportFactory transports,
      Env env,
      XdsClientObserver observer) {}

  @Override
  public <T> Watch watch(
      ResourceType<T> type, String name, ResourceWatcher<? super T> watcher, Executor executor) {
    throw new IllegalStateException();
  }

  @Override
  public CompletionStage<List<ResourceStatus>> dump() {
    throw new IllegalStateException();
  }

  @Override
  public void resetBackoff() {}

  @Override
  public void close() {}
}
