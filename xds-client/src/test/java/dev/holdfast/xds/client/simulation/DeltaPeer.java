// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.simulation.World.Absent;
import dev.holdfast.xds.client.simulation.World.Denied;
import dev.holdfast.xds.client.simulation.World.Fact;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A Delta server. */
final class DeltaPeer extends Peer {
  private static final class State {
    final Set<String> subscribed = new TreeSet<>();

    /** What the client is to be sent whatever it has. */
    final Set<String> owed = new TreeSet<>();

    /** The version that the client is believed to have. */
    final Map<String, String> held = new HashMap<>();

    /** Errors that the client knows of; it may still hold what it had before. */
    final Map<String, String> told = new HashMap<>();

    /** What was refused, so that it is not sent again. */
    final Map<String, String> refused = new HashMap<>();

    final Map<String, String> inFlight = new TreeMap<>();
    boolean repeat;
  }

  private final Map<TestType, State> states = new HashMap<>();
  private final boolean heedsRepeatedSubscriptions;

  DeltaPeer(
      FakeStream stream, World world, Bookkeeping bookkeeping, boolean heedsRepeatedSubscriptions) {
    super(stream, world, bookkeeping);
    this.heedsRepeatedSubscriptions = heedsRepeatedSubscriptions;
  }

  private State state(TestType type) {
    return states.computeIfAbsent(type, t -> new State());
  }

  @Override
  void heard(TestType type, Request request) {
    State state = state(type);
    for (String name : request.subscribe()) {
      if (state.subscribed.add(name) || heedsRepeatedSubscriptions) {
        state.owed.add(name);
        state.refused.remove(name);
      }
    }
    for (String name : request.unsubscribe()) {
      state.subscribed.remove(name);
      state.owed.remove(name);
      state.held.remove(name);
      state.told.remove(name);
      state.refused.remove(name);
      state.inFlight.remove(name);
    }
    request
        .initialVersions()
        .forEach(
            (name, version) -> {
              state.held.put(name, version);
              state.owed.remove(name); // unless it is another by now
            });
    if (!request.nonce().isEmpty()) {
      if (!answers(type, request.nonce())) {
        throw new AssertionError("answered twice: " + request);
      }
      answered(state, request.isNack());
    }
  }

  private void answered(State state, boolean refused) {
    state.inFlight.forEach(
        (name, version) -> {
          if (version.startsWith("e-") && bookkeeping != Bookkeeping.SENT) {
            state.told.put(name, version);
            state.refused.remove(name);
          } else if (!refused || bookkeeping == Bookkeeping.SENT) {
            state.held.put(name, version);
            state.refused.remove(name);
          } else {
            state.refused.put(name, version);
          }
        });
    state.repeat = refused && bookkeeping == Bookkeeping.ACCEPTED_ELSE_REPEATED;
    state.inFlight.clear();
  }

  @Override
  @Nullable ResponseBuilder next(TestType type) {
    State state = state(type);
    ResponseBuilder response = new ResponseBuilder(type).version(world.version(type));
    for (String name : state.subscribed) {
      Fact fact = world.fact(type, name);
      if (!(fact instanceof Denied)) {
        state.told.remove(name);
      }
      if (isDue(state, name, fact)) {
        state.inFlight.put(name, fact.version());
        if (fact instanceof Absent) {
          response.removed(name);
        } else {
          response.resourceVersion(name, fact.version());
          add(response, name, fact);
        }
      }
    }
    state.owed.removeAll(state.inFlight.keySet());
    state.repeat = false;
    return state.inFlight.isEmpty() ? null : response;
  }

  private static boolean isDue(State state, String name, Fact fact) {
    if (state.owed.contains(name)) {
      return true;
    }
    boolean held =
        fact.version().equals(state.held.get(name)) || fact.version().equals(state.told.get(name));
    boolean refused = fact.version().equals(state.refused.get(name));
    return !held && (!refused || state.repeat);
  }

  @Override
  void sent(TestType type, String nonce) {}
}
