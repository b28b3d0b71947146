// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import static java.util.Objects.requireNonNull;

import dev.holdfast.benchmarks.client.Client;
import dev.holdfast.benchmarks.client.Contender;
import dev.holdfast.benchmarks.client.Kind;
import dev.holdfast.benchmarks.client.Measured;
import dev.holdfast.benchmarks.client.Protocol;
import dev.holdfast.benchmarks.client.Response;
import dev.holdfast.benchmarks.client.WireThread;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The first response to a client that watches everything in it. */
final class ColdIngest {
  private final List<String> names;
  private final Map<Protocol, Response> responses = new EnumMap<>(Protocol.class);

  ColdIngest(int clusters) {
    names = Fleet.names(clusters);
    Fleet fleet = new Fleet(Kind.CLUSTER, clusters);
    for (Protocol protocol : Protocol.values()) {
      responses.put(protocol, fleet.everything(protocol));
    }
  }

  Response response(Protocol protocol) {
    return requireNonNull(responses.get(protocol));
  }

  /** The time from the response's bytes to the last callback, the ACK and the next read. */
  Measured measure(Contender contender) {
    return ingest(contender, names, response(contender.protocol()));
  }

  static Measured ingest(Contender contender, List<String> names, Response response) {
    try (WireThread thread = new WireThread();
        Client client = contender.open(thread)) {
      client.start(Kind.CLUSTER, names);
      System.gc();
      return client.wire().exchange(response, names.size());
    }
  }

  /** The bytes that the client, its cache and its watches occupy, per cluster. */
  double retainedPerCluster(Contender contender) {
    long before = Heap.reachableBytes();
    try (WireThread thread = new WireThread();
        Client client = contender.open(thread)) {
      client.start(Kind.CLUSTER, names);
      client.wire().exchange(response(contender.protocol()), names.size());
      return (double) (Heap.reachableBytes() - before) / names.size();
    }
  }
}
