// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import static java.util.Objects.requireNonNull;

import dev.holdfast.benchmarks.client.Protocol;
import dev.holdfast.benchmarks.report.Report;
import dev.holdfast.benchmarks.report.Row;
import dev.holdfast.benchmarks.report.Samples;
import dev.holdfast.benchmarks.report.Unit;
import dev.holdfast.benchmarks.servers.ServerProcess;
import dev.holdfast.benchmarks.servers.ServerProcess.Exchange;
import dev.holdfast.benchmarks.servers.Side;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The measurements, one after the other. */
final class ServingComparison {
  /** In milliseconds; for the greatest number of hosts. */
  private static final double SLOWEST_CHANGE = 20;

  /**
   * They are short there, and what runs a thousand times in each is still being compiled, on the
   * same cores, after a hundred.
   */
  static final int TIMES_AS_MANY_ROUNDS_OVER_DELTA = 8;

  private final ServingOptions options;
  private final PrintStream progress;
  private final List<Row> rows = new ArrayList<>();

  ServingComparison(ServingOptions options, PrintStream progress) {
    this.options = options;
    this.progress = progress;
  }

  Report run() {
    String before = ServingConditions.load();
    translation();
    changeToAck();
    fanOut(
        Protocol.SOTW,
        sides(Side.HOLDFAST, Side.PEER, Side.PEER_CACHED, Side.HOLDFAST_WHOLE, Side.BARE),
        /* times= */ 1,
        /* aim= */ 0.25);
    fanOut(
        Protocol.DELTA,
        sides(Side.HOLDFAST, Side.PEER, Side.HOLDFAST_WHOLE, Side.BARE),
        /* times= */ TIMES_AS_MANY_ROUNDS_OVER_DELTA,
        /* aim= */ 0.5);
    refusing();
    return new Report(
        "holdfast",
        "java-control-plane 1.0.49",
        ServingConditions.describe(options, before),
        List.copyOf(rows));
  }

  // Beside the peers.

  /** The peer in Go only where it could be built. */
  private static List<Side> sides(Side... always) {
    List<Side> sides = new ArrayList<>(List.of(always));
    if (ServerProcess.peerInGo() != null) {
      sides.add(Side.PEER_IN_GO);
    }
    return sides;
  }

  private void fanOut(Protocol protocol, List<Side> sides, int times, double aim) {
    progress.printf("%s: connecting %d proxies to each server ...%n", protocol, options.streams());
    Map<Side, FanOut> servers = new EnumMap<>(Side.class);
    try {
      for (Side side : sides) {
        servers.put(side, new FanOut(side, protocol, options));
      }
      Map<Side, List<Exchange>> exchanges = exchange(protocol, servers, times);
      changes(protocol, sides, exchanges, aim);
      heap(protocol, servers);
    } finally {
      servers.values().forEach(FanOut::close);
    }
  }

  /** The servers take turns, and each round begins with another. */
  private Map<Side, List<Exchange>> exchange(
      Protocol protocol, Map<Side, FanOut> servers, int times) {
    int warmups = options.warmups() * times;
    int rounds = options.rounds() * times;
    progress.printf("%s: 1 change: %d rounds after %d ...%n", protocol, rounds, warmups);
    Map<Side, List<Exchange>> exchanges = new EnumMap<>(Side.class);
    List<Side> order = new ArrayList<>(servers.keySet());
    for (int round = -warmups; round < rounds; round++) {
      for (Side side : order) {
        Exchange exchange = requireNonNull(servers.get(side)).change();
        if (round >= 0) {
          exchanges.computeIfAbsent(side, unused -> new ArrayList<>()).add(exchange);
        }
      }
      Collections.rotate(order, 1);
    }
    return exchanges;
  }

  private void changes(
      Protocol protocol, List<Side> sides, Map<Side, List<Exchange>> exchanges, double aim) {
    String id = "fan_out_" + word(protocol);
    add(
        id,
        "1 of %,d clusters changed for %,d streams, %s"
            .formatted(options.clusters(), options.streams(), name(protocol)),
        samples(exchanges, Side.HOLDFAST, Exchange::millis),
        samples(exchanges, Side.PEER, Exchange::millis),
        aim);
    add(
        id + "_cpu",
        "  CPU of the server",
        samples(exchanges, Side.HOLDFAST, Exchange::cpuMillis),
        samples(exchanges, Side.PEER, Exchange::cpuMillis),
        /* aim= */ null);
    if (sides.contains(Side.PEER_CACHED)) {
      add(
          id + "_cached",
          "  peer with its caching serialiser",
          samples(exchanges, Side.HOLDFAST, Exchange::millis),
          samples(exchanges, Side.PEER_CACHED, Exchange::millis),
          /* aim= */ null);
      add(
          id + "_cached_cpu",
          "    CPU of the server",
          samples(exchanges, Side.HOLDFAST, Exchange::cpuMillis),
          samples(exchanges, Side.PEER_CACHED, Exchange::cpuMillis),
          /* aim= */ null);
    }
    add(
        id + "_whole",
        "  ours with translation, status and state",
        samples(exchanges, Side.HOLDFAST_WHOLE, Exchange::millis),
        samples(exchanges, Side.PEER, Exchange::millis),
        /* aim= */ null);
    beyondBare(id, exchanges);
    if (sides.contains(Side.PEER_IN_GO)) {
      add(
          id + "_go",
          "  peer in Go",
          samples(exchanges, Side.HOLDFAST, Exchange::millis),
          samples(exchanges, Side.PEER_IN_GO, Exchange::millis),
          /* aim= */ 1.0);
      add(
          id + "_go_cpu",
          "    CPU of the server",
          samples(exchanges, Side.HOLDFAST, Exchange::cpuMillis),
          samples(exchanges, Side.PEER_IN_GO, Exchange::cpuMillis),
          /* aim= */ null);
    }
    add(
        id + "_whole_bare",
        "  ours with translation, status and state, and without",
        samples(exchanges, Side.HOLDFAST_WHOLE, Exchange::millis),
        samples(exchanges, Side.HOLDFAST, Exchange::millis),
        /* aim= */ 1.2);
  }

  /** What is left when what gRPC and the network need by themselves is taken off. */
  private void beyondBare(String id, Map<Side, List<Exchange>> exchanges) {
    Samples bare = samples(exchanges, Side.BARE, Exchange::millis);
    rows.add(
        new Row(
            id + "_bare",
            "  no control plane: gRPC sends the same bytes",
            Unit.MILLISECONDS,
            bare,
            /* peer= */ null,
            /* aim= */ null));
    add(
        id + "_beyond_bare",
        "  beyond that",
        new Samples(samples(exchanges, Side.HOLDFAST, Exchange::millis).median() - bare.median()),
        new Samples(samples(exchanges, Side.PEER, Exchange::millis).median() - bare.median()),
        /* aim= */ null);
  }

  private void add(String id, String title, Samples ours, Samples peer, @Nullable Double aim) {
    rows.add(new Row(id, title, Unit.MILLISECONDS, ours, peer, aim));
  }

  private static Samples samples(
      Map<Side, List<Exchange>> exchanges, Side side, ToDoubleFunction<Exchange> aspect) {
    return new Samples(requireNonNull(exchanges.get(side)).stream().mapToDouble(aspect).toArray());
  }

  private void heap(Protocol protocol, Map<Side, FanOut> servers) {
    String id = "heap_per_stream_" + word(protocol);
    Samples peer = heap(servers, Side.PEER);
    rows.add(
        new Row(
            id,
            "heap per idle stream, " + name(protocol),
            Unit.BYTES,
            heap(servers, Side.HOLDFAST),
            peer,
            /* aim= */ 0.25));
    rows.add(
        new Row(
            id + "_whole",
            "  ours with translation, status and state",
            Unit.BYTES,
            heap(servers, Side.HOLDFAST_WHOLE),
            peer,
            /* aim= */ null));
    if (servers.containsKey(Side.PEER_IN_GO)) {
      rows.add(
          new Row(
              id + "_go",
              "  peer in Go, with its stacks",
              Unit.BYTES,
              heap(servers, Side.HOLDFAST),
              heap(servers, Side.PEER_IN_GO),
              /* aim= */ 1.0));
    }
  }

  private static Samples heap(Map<Side, FanOut> servers, Side side) {
    return new Samples(requireNonNull(servers.get(side)).heapPerStream());
  }

  private void refusing() {
    for (Protocol protocol : Protocol.values()) {
      progress.printf("%s: one proxy that refuses ...%n", protocol);
      RejectedCluster ours = RejectedCluster.measure(Side.HOLDFAST, protocol, options);
      RejectedCluster peer = RejectedCluster.measure(Side.PEER, protocol, options);
      String id = "refused_" + word(protocol);
      rows.add(
          new Row(
              id,
              String.format(
                  Locale.ROOT,
                  "refused content sent to one proxy in %.1f s, %s",
                  options.refusing().toMillis() / 1000.0,
                  name(protocol)),
              Unit.COUNT,
              new Samples(ours.refused()),
              new Samples(peer.refused()),
              /* aim= */ null,
              /* most= */ 1.0));
      rows.add(
          new Row(
              id + "_all",
              "  all responses",
              Unit.COUNT,
              new Samples(ours.all()),
              new Samples(peer.all()),
              /* aim= */ null));
    }
  }

  // Ours alone.

  private void changeToAck() {
    int most = Collections.max(options.hosts());
    for (Protocol protocol : Protocol.values()) {
      for (int hosts : options.hosts()) {
        progress.printf("%s: 1 of %d hosts, change to ACK ...%n", protocol, hosts);
        Samples millis =
            ChangeToAck.millis(protocol, hosts, options.changes() / 2, options.changes());
        String id = "change_to_ack_" + word(protocol) + "_" + hosts;
        String title = "1 of %,d HTTPProxies, change to ACK, %s".formatted(hosts, name(protocol));
        alone(id, title, Unit.MILLISECONDS, millis, hosts == most ? SLOWEST_CHANGE : null);
      }
    }
  }

  private void translation() {
    for (int hosts : options.hosts()) {
      progress.printf("translation of 1 of %d hosts ...%n", hosts);
      TranslationCost cost = TranslationCost.measure(hosts, options.changes(), options.changes());
      String id = "translation_" + hosts;
      String title = "translation of 1 of %,d HTTPProxies, CPU".formatted(hosts);
      alone(id, title, Unit.MILLISECONDS, cost.cpuMillis(), /* most= */ null);
      alone(id + "_allocated", "  allocated", Unit.KIBIBYTES, cost.kibibytes(), /* most= */ null);
    }
  }

  /** Half of the samples are below the first row's value, 99 of 100 below the second's. */
  private void alone(String id, String title, Unit unit, Samples samples, @Nullable Double most) {
    rows.add(
        new Row(id, title, unit, samples, /* peer= */ null, /* aim= */ null, /* most= */ null));
    rows.add(
        new Row(
            id + "_p99",
            title.startsWith(" ") ? "    99 of 100" : "  99 of 100",
            unit,
            new Samples(samples.quantile(0.99)),
            /* peer= */ null,
            /* aim= */ null,
            most));
  }

  private static String word(Protocol protocol) {
    return protocol.name().toLowerCase(Locale.ROOT);
  }

  private static String name(Protocol protocol) {
    return switch (protocol) {
      case SOTW -> "SotW";
      case DELTA -> "Delta";
    };
  }
}
