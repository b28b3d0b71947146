// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.grpc.config.DependencyManager;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.XdsTransportFactory;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Our client and what a channel for each of some hosts makes of it, from start to end. */
final class AppProcess {
  private final ManualExecutor executor = new ManualExecutor();
  private final XdsClient client;
  private final List<DependencyManager> channels = new ArrayList<>();
  private final Map<String, StatusOr<XdsConfig>> told = new TreeMap<>();
  private @Nullable Throwable bug;

  AppProcess(
      XdsClientConfig config, List<String> hosts, TimeSource time, XdsTransportFactory transports) {
    client =
        XdsClient.create(
            config, transports, new Env(executor, time, new SplittableRandom(1)), new Ear());
    DependencyManager.Sources sources =
        new DependencyManager.Sources(
            client,
            new XdsTypes(),
            (name, listener) -> {
              throw new AssertionError("nothing here is for DNS to tell: " + name);
            },
            config.node().getId());
    for (String host : hosts) {
      channels.add(
          DependencyManager.start(
              sources,
              new DependencyManager.Target(host, host),
              new Loop(executor, this::failed),
              answer -> told.put(host, answer)));
    }
  }

  boolean hasTurn() {
    return executor.pending() > 0;
  }

  void turn() {
    executor.runOne();
  }

  /** What the channel of a host goes by; null if it still waits. */
  @Nullable StatusOr<XdsConfig> told(String host) {
    return told.get(host);
  }

  /** Throws what must not have happened. */
  void check() {
    if (bug instanceof Broken broken) {
      throw broken;
    }
    if (bug != null) {
      throw new AssertionError("our client has a bug: " + bug, bug);
    }
  }

  List<ResourceStatus> dump() {
    CompletableFuture<List<ResourceStatus>> dump = client.dump().toCompletableFuture();
    executor.runAll();
    return dump.join();
  }

  /** It is gone, with all its timers. */
  void end() {
    channels.forEach(DependencyManager::close);
    client.close();
    executor.runAll();
  }

  private void failed(Throwable error) {
    if (bug == null) {
      bug = error;
    }
  }

  /** Hears of what our client is never to do. */
  private final class Ear implements XdsClientObserver {
    @Override
    public void nackSent(ServerConfig server, ResourceType<?> type, String version, String detail) {
      failed(new Broken("our client refuses " + type + " " + version + ": " + detail));
    }

    @Override
    public void uncaught(Throwable error) {
      failed(error);
    }
  }
}
