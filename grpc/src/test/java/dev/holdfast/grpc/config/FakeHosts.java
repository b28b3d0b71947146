// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** DNS that says what the test says. Single-threaded. */
final class FakeHosts implements HostResolver {
  private final SortedMap<String, Consumer<StatusOr<List<InetSocketAddress>>>> open =
      new TreeMap<>();
  private final List<String> refreshed = new ArrayList<>();

  List<String> open() {
    return List.copyOf(open.keySet());
  }

  List<String> refreshed() {
    return refreshed;
  }

  void found(String host, InetSocketAddress... addresses) {
    listener(host).accept(StatusOr.fromValue(List.of(addresses)));
  }

  void notFound(String host, Status status) {
    listener(host).accept(StatusOr.fromStatus(status));
  }

  private Consumer<StatusOr<List<InetSocketAddress>>> listener(String host) {
    Consumer<StatusOr<List<InetSocketAddress>>> listener = open.get(host);
    if (listener == null) {
      throw new AssertionError("nobody asks for " + host + ": " + open.keySet());
    }
    return listener;
  }

  @Override
  public Lookup resolve(String host, Consumer<StatusOr<List<InetSocketAddress>>> listener) {
    open.put(host, listener);
    return new Lookup() {
      @Override
      public void refresh() {
        refreshed.add(host);
      }

      @Override
      public void close() {
        open.remove(host);
      }
    };
  }
}
