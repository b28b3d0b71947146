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

/** Responses to clients that already have everything. All contenders live side by side. */
final class WarmPush implements AutoCloseable {
  private final Fleet fleet;
  private final List<WireThread> threads;
  private final Map<Contender, Client> clients = new EnumMap<>(Contender.class);
  private final Map<Protocol, Response> next = new EnumMap<>(Protocol.class);
  private int callbacks;

  WarmPush(Kind kind, int size, List<Contender> contenders) {
    fleet = new Fleet(kind, size);
    List<String> names = Fleet.names(size);
    threads = contenders.stream().map(contender -> new WireThread()).toList();
    for (int i = 0; i < contenders.size(); i++) {
      Contender contender = contenders.get(i);
      Client client = contender.open(threads.get(i));
      clients.put(contender, client);
      client.start(kind, names);
      client.wire().exchange(fleet.everything(contender.protocol()), size);
    }
  }

  /** The next response is as the one before it, but for one resource. */
  void prepareOneChanged() {
    int changed = fleet.change();
    callbacks = 1;
    next.put(Protocol.SOTW, fleet.everything(Protocol.SOTW));
    next.put(Protocol.DELTA, fleet.only(Protocol.DELTA, changed));
  }

  /** The next response holds the one resource that changed, where the protocol allows it. */
  void prepareOnlyChanged() {
    int changed = fleet.change();
    callbacks = 1;
    for (Protocol protocol : Protocol.values()) {
      next.put(protocol, fleet.only(protocol, changed));
    }
  }

  /** The next response says again what the one before it said. */
  void prepareUnchanged() {
    callbacks = 0;
    next.put(Protocol.SOTW, fleet.everything(Protocol.SOTW));
  }

  Measured measure(Contender contender) {
    Response response = requireNonNull(next.get(contender.protocol()));
    System.gc();
    return requireNonNull(clients.get(contender)).wire().exchange(response, callbacks);
  }

  @Override
  public void close() {
    clients.values().forEach(Client::close);
    threads.forEach(WireThread::close);
  }
}
