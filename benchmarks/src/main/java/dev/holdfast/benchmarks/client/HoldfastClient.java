// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import dev.holdfast.base.Env;
import dev.holdfast.base.SystemTime;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.SplittableRandom;

/** This project's client, with its real decoders. */
final class HoldfastClient implements Client {
  private final Wire wire;
  private final XdsClient client;

  HoldfastClient(WireThread thread, Protocol protocol) {
    wire = new Wire(protocol, thread);
    client =
        XdsClient.create(
            XdsClientConfig.builder()
                .nodeId("benchmark")
                .servers(ServerConfig.insecure("in-memory"))
                .protocol(protocol == Protocol.DELTA ? AdsProtocol.DELTA : AdsProtocol.SOTW)
                .build(),
            (server, listener) -> new HoldfastTransport(wire, thread, listener),
            new Env(thread, SystemTime.instance(), new SplittableRandom()),
            new XdsClientObserver() {
              @Override
              public void uncaught(Throwable error) {
                wire.failed("holdfast: " + error);
              }
            });
  }

  @Override
  public Wire wire() {
    return wire;
  }

  @Override
  public void watch(Kind kind, String name) {
    watch(HoldfastTypes.of(kind), name);
  }

  private <T> void watch(ResourceType<T> type, String name) {
    client.watch(type, name, new Watcher<T>(wire), Runnable::run);
  }

  @Override
  public void close() {
    client.close();
  }

  private record Watcher<T>(Wire wire) implements ResourceWatcher<T> {
    @Override
    public void onResourceChanged(StatusOr<Resource<T>> resource) {
      if (resource.hasValue()) {
        wire.called();
      } else {
        wire.calledWithError(resource.getStatus());
      }
    }

    @Override
    public void onAmbientError(Status status) {
      wire.calledWithError(status);
    }
  }
}
