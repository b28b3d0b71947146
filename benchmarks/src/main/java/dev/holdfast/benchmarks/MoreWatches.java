// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.client.Client;
import dev.holdfast.benchmarks.client.Contender;
import dev.holdfast.benchmarks.client.Kind;
import dev.holdfast.benchmarks.client.Response;
import dev.holdfast.benchmarks.client.Wire;
import dev.holdfast.benchmarks.client.WireThread;
import java.util.List;

/** Watches that are added, one call each, while a stream is up and much is watched already. */
final class MoreWatches {
  private final List<String> first;
  private final List<String> more;
  private final ColdIngest ingest;

  MoreWatches(int clusters, int more, ColdIngest ingest) {
    this.first = Fleet.names(clusters);
    this.more = Fleet.names(clusters, clusters + more);
    this.ingest = ingest;
  }

  /**
   * What it took to tell the server.
   *
   * @param nanos from the first call until a request that leaves no name out was sent
   */
  record Cost(Wire.Traffic traffic, long nanos) {
    double millis() {
      return nanos / 1e6;
    }
  }

  Cost measure(Contender contender) {
    Response response = ingest.response(contender.protocol());
    try (WireThread thread = new WireThread();
        Client client = contender.open(thread)) {
      Wire wire = client.wire();
      client.start(Kind.CLUSTER, first);
      wire.exchange(response, first.size());
      System.gc();
      Wire.Traffic before = wire.traffic();
      long start = wire.now();
      more.forEach(name -> client.watch(Kind.CLUSTER, name));
      long end = wire.awaitSubscribed(first.size() + more.size());
      return new Cost(wire.traffic().minus(before), end - start);
    }
  }
}
