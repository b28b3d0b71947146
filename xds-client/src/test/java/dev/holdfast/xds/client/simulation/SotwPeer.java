// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.fixture.TestType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A server of the state of the world. */
final class SotwPeer extends Peer {
  private static final class State {
    Set<String> names = new TreeSet<>();
    boolean asked;
    boolean owed;
    String held = "";
    String refused = "";
    String inFlight = "";
    String lastNonce = "";
    boolean repeat;
  }

  private final Map<TestType, State> states = new HashMap<>();

  SotwPeer(FakeStream stream, World world, Bookkeeping bookkeeping) {
    super(stream, world, bookkeeping);
  }

  private State state(TestType type) {
    return states.computeIfAbsent(type, t -> new State());
  }

  @Override
  void heard(TestType type, Request request) {
    State state = state(type);
    if (!request.nonce().equals(state.lastNonce)) {
      return; // crossed a response
    }
    if (!state.asked) {
      state.asked = true;
      state.held = request.version();
      state.owed = request.version().isEmpty();
    } else {
      state.owed |= !state.names.containsAll(request.names());
    }
    state.names = new TreeSet<>(request.names());
    if (answers(type, request.nonce())) {
      if (!request.isNack() || bookkeeping == Bookkeeping.SENT) {
        state.held = state.inFlight;
        state.refused = "";
      } else {
        state.refused = state.inFlight;
        state.repeat = bookkeeping == Bookkeeping.ACCEPTED_ELSE_REPEATED;
      }
    } else if (request.isNack()) {
      throw new AssertionError("answered twice: " + request);
    }
    if (bookkeeping != Bookkeeping.SENT) {
      state.held = request.version(); // that is what the field is for
    }
  }

  @Override
  @Nullable ResponseBuilder next(TestType type) {
    State state = state(type);
    String version = world.version(type);
    boolean held = version.equals(state.held);
    boolean refused = version.equals(state.refused);
    if (state.names.isEmpty() || !(state.owed || (!held && (!refused || state.repeat)))) {
      return null;
    }
    state.owed = false;
    state.repeat = false;
    state.inFlight = version;
    ResponseBuilder response = new ResponseBuilder(type).version(version);
    state.names.forEach(name -> add(response, name, world.fact(type, name)));
    return response;
  }

  @Override
  void sent(TestType type, String nonce) {
    state(type).lastNonce = nonce;
  }
}
