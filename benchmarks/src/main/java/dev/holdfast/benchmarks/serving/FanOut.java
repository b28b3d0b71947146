// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import dev.holdfast.benchmarks.client.Protocol;
import dev.holdfast.benchmarks.proxies.Proxies;
import dev.holdfast.benchmarks.proxies.Subscription;
import dev.holdfast.benchmarks.servers.ServerProcess;
import dev.holdfast.benchmarks.servers.Side;
import java.util.List;

/** One server with all its clusters and all its proxies, which have everything. */
final class FanOut implements AutoCloseable {
  /** Everything that is made once is made for these. */
  private static final int FIRST = 20;

  private final ServerProcess server;
  private final Proxies proxies;
  private final int streams;
  private final List<Subscription> asks;
  private final double heapPerStream;

  FanOut(Side side, Protocol protocol, ServingOptions options) {
    streams = options.streams();
    server = ServerProcess.start(side, options.clusters(), options.jvm());
    asks = side == Side.HOLDFAST_WHOLE ? Subscription.ALL : Subscription.CLUSTERS;
    proxies = new Proxies(server.port(), protocol, asks, /* judge= */ null);
    int first = Math.min(FIRST, streams / 2);
    long before = heapWith(first, first);
    long after = heapWith(streams - first, streams);
    heapPerStream = (after - before) / (double) (streams - first);
  }

  /** Each of them has asked once for each type, and accepted once. */
  private long heapWith(int more, int all) {
    proxies.connect(more);
    return server.heap(2L * asks.size() * all);
  }

  /** What one more idle stream adds to the reachable objects of the server. */
  double heapPerStream() {
    return heapPerStream;
  }

  /** Changes one cluster; all streams get it and accept it. */
  ServerProcess.Exchange change() {
    return server.change(streams);
  }

  @Override
  public void close() {
    proxies.close();
    server.close();
  }
}
