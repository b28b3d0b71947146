// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.FakeTransport;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/** One random world. Everything in it follows from its seed. */
final class Simulation {
  private static final int STEPS = 50;
  private static final String PRIMARY = "primary:1";
  private static final String FALLBACK = "fallback:2";

  private final AdsProtocol protocol;
  private final long seed;
  private final RandomGenerator random;
  private final ClientHarness harness;
  private final ManualExecutor slowWatchers = new ManualExecutor();
  private final List<Client> clients = new ArrayList<>();
  private final List<Client> cancelled = new ArrayList<>();
  private final List<Integer> cancelledCalls = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final RandomResponses responses;

  /** A watch of the simulation. */
  private record Client(TestType type, String name, boolean slow, ClientHarness.Watched watched) {}

  Simulation(AdsProtocol protocol, long seed) {
    this.protocol = protocol;
    this.seed = seed;
    random = new Random(seed);
    harness = new ClientHarness(config(), new Random(seed));
    responses = new RandomResponses(random, protocol);
  }

  private XdsClientConfig config() {
    List<ServerFeature> features = new ArrayList<>();
    for (ServerFeature feature : ServerFeature.values()) {
      if (random.nextInt(3) == 0) {
        features.add(feature);
      }
    }
    ServerFeature[] chosen = features.toArray(ServerFeature[]::new);
    List<ServerConfig> servers = new ArrayList<>();
    servers.add(ServerConfig.insecure(PRIMARY, chosen));
    if (random.nextBoolean()) {
      servers.add(ServerConfig.insecure(FALLBACK, chosen));
    }
    return ClientHarness.config(protocol)
        .servers(servers)
        .authorities(Map.of("other", new AuthorityConfig(List.of(), random.nextBoolean())))
        .behaviour(ClientHarness.behaviour().withDataErrorHandling(random.nextInt(5) > 0))
        .build();
  }

  void run() {
    try {
      for (int step = 0; step < STEPS; step++) {
        act();
        harness.settle();
        Agreement.check(harness, this::eachSettledWatcher);
      }
      if (random.nextInt(3) > 0) {
        heal();
        clients.forEach(client -> client.watched.cancel());
      } // else in the midst of it all
      harness.close();
      if (!harness.observer.uncaught().isEmpty()) {
        throw new AssertionError("uncaught", harness.observer.uncaught().get(0));
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed "
              + seed
              + " ("
              + protocol
              + "): "
              + e.getMessage()
              + "\n"
              + String.join("\n", trace),
          e);
    }
  }

  private void eachSettledWatcher(Agreement.Visitor visitor) {
    for (Client client : clients) {
      if (!client.slow || slowWatchers.pending() == 0) {
        visitor.visit(client.type, client.name, client.watched.watcher);
      }
    }
  }

  // What may happen.

  private void act() {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> watch();
      case 3 -> cancel();
      case 4, 5, 6, 7 -> respond();
      case 8 -> endStream();
      case 9 -> channel();
      case 10 -> advance();
      default -> pace();
    }
  }

  private void watch() {
    TestType type = pick(TestType.all());
    String name =
        random.nextInt(6) == 0
            ? "xdstp://other/" + type.typeName() + "/c"
            : pick(List.of("a", "b"));
    boolean slow = random.nextInt(4) == 0;
    log("watch " + type + " " + name + (slow ? " slowly" : ""));
    Client client =
        new Client(
            type,
            name,
            slow,
            slow ? harness.watch(type, name, slowWatchers) : harness.watch(type, name));
    if (!slow) {
      Agreement.checkVersion(harness, type, name, client.watched.watcher);
    }
    clients.add(client);
  }

  private void cancel() {
    if (clients.isEmpty()) {
      return;
    }
    Client client = clients.remove(random.nextInt(clients.size()));
    log("cancel " + client.type + " " + client.name);
    int calls = client.watched.watcher.calls();
    if (random.nextInt(3) == 0) {
      client.watched.cancelForReplacement();
    } else {
      client.watched.cancel();
    }
    slowWatchers.runAll();
    if (client.watched.watcher.calls() != calls) {
      throw new AssertionError("called after cancel");
    }
    cancelled.add(client);
    cancelledCalls.add(calls);
  }

  private void respond() {
    List<FakeStream> open = openStreams();
    if (open.isEmpty()) {
      return;
    }
    FakeStream stream = pick(open);
    RandomResponses.Made response = responses.next(stream);
    log("respond " + response.description());
    stream.deliver(response.bytes());
  }

  private void endStream() {
    List<FakeStream> open = openStreams();
    if (!open.isEmpty()) {
      log("end stream");
      pick(open)
          .close(
              random.nextBoolean() ? Status.OK : Status.UNAVAILABLE.withDescription("went away"));
    }
  }

  private void channel() {
    List<FakeTransport> open =
        harness.servers.all().stream().filter(transport -> !transport.isClosed()).toList();
    if (open.isEmpty()) {
      return;
    }
    FakeTransport transport = pick(open);
    if (random.nextBoolean()) {
      log("channel failure of " + transport.server.uri());
      transport.transientFailure(Status.UNAVAILABLE.withDescription("refused"));
    } else {
      log("channel up to " + transport.server.uri());
      transport.connected();
    }
  }

  private void advance() {
    Duration by = Duration.ofMillis(random.nextInt(3) == 0 ? 31_000 : random.nextInt(4_000));
    log("advance " + by);
    harness.advance(by);
  }

  private void pace() {
    switch (random.nextInt(4)) {
      case 0 -> {
        log("hold requests back");
        harness.servers.autoSend(false);
      }
      case 1 -> {
        log("let requests go");
        letRequestsGo();
      }
      case 2 -> {
        log("slow watchers catch up");
        slowWatchers.runAll();
      }
      default -> slowWatchers.runOne();
    }
  }

  private void letRequestsGo() {
    harness.servers.autoSend(true);
    openStreams().stream().filter(FakeStream::isSendPending).forEach(FakeStream::sent);
  }

  // How it ends: servers that do what they should make every watcher whole.

  private void heal() {
    log("heal");
    for (int round = 0; round < 6; round++) {
      slowWatchers.runAll();
      letRequestsGo();
      harness.settle();
      for (FakeStream stream : openStreams()) {
        for (TestType type : TestType.all()) {
          if (!stream.subscribed(type).isEmpty()) {
            stream.deliver(responses.good(type, stream));
            harness.settle();
            slowWatchers.runAll();
            harness.settle();
          }
        }
      }
      harness.advance(Duration.ofMinutes(round == 3 ? 3 : 0).plusSeconds(round < 4 ? 1 : 0));
    }
    slowWatchers.runAll();
    harness.settle();
    Agreement.check(harness, this::eachSettledWatcher);
    for (Client client : clients) {
      Agreement.checkWhole(client.name, client.watched.watcher);
    }
    for (int i = 0; i < cancelled.size(); i++) {
      if (cancelled.get(i).watched.watcher.calls() != cancelledCalls.get(i)) {
        throw new AssertionError("called after cancel");
      }
    }
  }

  private List<FakeStream> openStreams() {
    return harness.servers.all().stream()
        .filter(FakeTransport::hasOpenStream)
        .map(FakeTransport::stream)
        .toList();
  }

  private <E> E pick(List<E> list) {
    return list.get(random.nextInt(list.size()));
  }

  private void log(String what) {
    trace.add(harness.time.now() + " " + what);
  }
}
