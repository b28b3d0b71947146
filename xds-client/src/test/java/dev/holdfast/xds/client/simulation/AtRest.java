// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.FakeTransport;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.fixture.TestWatcher;
import dev.holdfast.xds.client.simulation.Peer.Bookkeeping;
import dev.holdfast.xds.client.simulation.World.Denied;
import dev.holdfast.xds.client.simulation.World.Fact;
import dev.holdfast.xds.client.simulation.World.Served;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A client and a server that keeps the protocol, with faults in between. Whatever happens, some
 * minutes after the last change the client has what the server serves and says so.
 */
final class AtRest {
  private static final int STEPS = 40;
  private static final int MOST_ROUNDS = 60;

  private final AdsProtocol protocol;
  private final long seed;
  private final RandomGenerator random;
  private final boolean drops;
  private final Bookkeeping bookkeeping;
  private final boolean heedsRepeatedSubscriptions;
  private final World world;
  private final ClientHarness harness;
  private final Map<FakeStream, Peer> peers = new HashMap<>();
  private final List<TestType> types;
  private final List<Client> clients = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();

  private record Client(TestType type, String name, ClientHarness.Watched watched) {}

  AtRest(AdsProtocol protocol, long seed) {
    this.protocol = protocol;
    this.seed = seed;
    random = new Random(seed);
    drops = random.nextBoolean();
    bookkeeping = List.copyOf(EnumSet.allOf(Bookkeeping.class)).get(random.nextInt(3));
    heedsRepeatedSubscriptions = random.nextBoolean();
    types = random.nextBoolean() ? TestType.all() : List.of(TestType.CDS, TestType.EDS);
    world = new World(random);
    harness =
        new ClientHarness(
            ClientHarness.config(
                    protocol,
                    drops
                        ? new ServerFeature[] {ServerFeature.FAIL_ON_DATA_ERRORS}
                        : new ServerFeature[0])
                .build(),
            new Random(seed));
  }

  void run() {
    try {
      for (int step = 0; step < STEPS; step++) {
        act();
        harness.settle();
        if (random.nextInt(5) > 0) {
          serve();
        }
        Agreement.check(harness, this::eachWatcher);
      }
      rest();
      clients.forEach(this::check);
      checkQuiet();
      harness.close();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed %d (%s, %s, %s): %s%n%s"
              .formatted(
                  seed,
                  protocol,
                  bookkeeping,
                  drops ? "fail_on_data_errors" : "keeps",
                  e.getMessage(),
                  String.join("\n", trace)),
          e);
    }
  }

  private void eachWatcher(Agreement.Visitor visitor) {
    clients.forEach(client -> visitor.visit(client.type, client.name, client.watched.watcher));
  }

  // What happens.

  private void act() {
    switch (random.nextInt(14)) {
      case 0, 1, 2, 3, 4, 5 -> log(world.change(types));
      case 6, 7 -> watch();
      case 8 -> cancel();
      case 9 -> endStream();
      case 10 -> channel();
      default -> advance(Duration.ofMillis(random.nextInt(4) == 0 ? 20_000 : random.nextInt(900)));
    }
  }

  private void watch() {
    TestType type = types.get(random.nextInt(types.size()));
    String name = World.NAMES.get(random.nextInt(World.NAMES.size()));
    log("watch " + type + " " + name);
    Client client = new Client(type, name, harness.watch(type, name));
    Agreement.checkVersion(harness, type, name, client.watched.watcher);
    clients.add(client);
  }

  private void cancel() {
    if (!clients.isEmpty()) {
      Client client = clients.remove(random.nextInt(clients.size()));
      log("cancel " + client.type + " " + client.name);
      client.watched.cancel();
    }
  }

  private void endStream() {
    FakeStream stream = stream();
    if (stream != null) {
      log("end stream");
      stream.close(random.nextBoolean() ? Status.OK : Status.UNAVAILABLE);
    }
  }

  private void channel() {
    for (FakeTransport transport : harness.servers.all()) {
      if (!transport.isClosed()) {
        log("channel fails and recovers");
        transport.transientFailure(Status.UNAVAILABLE);
        harness.settle();
        transport.connected();
      }
    }
  }

  private void advance(Duration by) {
    log("advance " + by);
    harness.advance(by);
  }

  // The server.

  private @Nullable FakeStream stream() {
    for (FakeTransport transport : harness.servers.all()) {
      if (transport.hasOpenStream()) {
        return transport.stream();
      }
    }
    return null;
  }

  /** Lets the server do everything that it has to do at this moment. */
  private void serve() {
    for (int round = 0; ; round++) {
      FakeStream stream = stream();
      if (stream == null || !peers.computeIfAbsent(stream, this::peer).work()) {
        return;
      }
      harness.settle();
      if (round == MOST_ROUNDS) {
        throw new AssertionError("client and server go round in circles");
      }
    }
  }

  private Peer peer(FakeStream stream) {
    return protocol == AdsProtocol.SOTW
        ? new SotwPeer(stream, world, bookkeeping)
        : new DeltaPeer(stream, world, bookkeeping, heedsRepeatedSubscriptions);
  }

  // How it ends.

  private void rest() {
    log("rest");
    for (int second = 0; second < 300; second++) {
      serve();
      harness.advance(Duration.ofSeconds(1));
    }
    serve();
    Agreement.check(harness, this::eachWatcher);
  }

  /** In a minute without changes nothing is said, or little to a server that repeats itself. */
  private void checkQuiet() {
    FakeStream stream = stream();
    int before = stream == null ? 0 : stream.received();
    for (int second = 0; second < 60; second++) {
      harness.advance(Duration.ofSeconds(1));
      serve();
    }
    int said = stream == null ? 0 : stream.received() - before;
    int allowed = bookkeeping == Bookkeeping.ACCEPTED_ELSE_REPEATED ? 7 * TestType.all().size() : 0;
    if (stream() != stream || said > allowed) {
      throw new AssertionError(said + " requests in a minute without changes");
    }
  }

  private void check(Client client) {
    Fact fact = world.fact(client.type, client.name);
    CacheEntry<?> entry = Objects.requireNonNull(harness.dump(client.type, client.name));
    TestWatcher watcher = client.watched.watcher;
    String what = client.type + " " + client.name + " is " + entry.label() + ", served " + fact;
    if (fact instanceof Served served && served.isValid()) {
      require(served.text().equals(watcher.currentText()), what);
      require(entry.state() == CacheEntry.State.ACKED || mayNotHear(entry), what);
    } else if (fact instanceof Served) {
      require(entry.state() == CacheEntry.State.NACKED, what);
      require(!drops || entry.resource() == null, what);
    } else if (fact instanceof Denied denied) {
      require(entry.state() == CacheEntry.State.RECEIVED_ERROR, what);
      require(!drops || !denied.isDataError() || entry.resource() == null, what);
    } else if (protocol == AdsProtocol.DELTA || client.type.completeness() == Completeness.FULL) {
      require(isKnownAbsent(entry), what);
      boolean remembered = entry.state() == CacheEntry.State.RECEIVED_ERROR;
      require(!drops || remembered || entry.resource() == null, what);
    } // else the server has no words for it
  }

  /**
   * Absence alone (SotW) replaces neither an error that the server sent nor the reason why there is
   * no resource, and a Delta server need not repeat that there is none.
   */
  private boolean isKnownAbsent(CacheEntry<?> entry) {
    return switch (entry.state()) {
      case DOES_NOT_EXIST -> true;
      case RECEIVED_ERROR ->
          protocol == AdsProtocol.SOTW
              || (bookkeeping != Bookkeeping.SENT && entry.resource() == null);
      case NACKED ->
          entry.resource() == null
              && (protocol == AdsProtocol.SOTW || bookkeeping != Bookkeeping.SENT);
      case REQUESTED, ACKED, TIMEOUT -> false;
    };
  }

  /** A server that went back to what is kept, and knows that, need not say so. */
  private boolean mayNotHear(CacheEntry<?> entry) {
    return bookkeeping != Bookkeeping.SENT && entry.resource() != null;
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }

  private void log(String what) {
    trace.add(harness.time.now() + " " + what);
  }
}
