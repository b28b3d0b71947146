// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.simulation.World.Denied;
import dev.holdfast.xds.client.simulation.World.Fact;
import dev.holdfast.xds.client.simulation.World.Served;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of one stream: it sends what the protocol obliges it to send, and nothing that
 * it may take for known. What may be taken for known is a matter of opinion among servers.
 */
abstract class Peer {
  /** What a server goes by. */
  enum Bookkeeping {
    /** What it sent last, whatever became of it. */
    SENT,
    /** What the client accepted last. What was refused is not sent again. */
    ACCEPTED,
    /** What the client accepted last. What was refused is sent again, at once. */
    ACCEPTED_ELSE_REPEATED
  }

  final FakeStream stream;
  final World world;
  final Bookkeeping bookkeeping;
  private final Map<TestType, Set<String>> unanswered = new HashMap<>();
  private int nonces;

  Peer(FakeStream stream, World world, Bookkeeping bookkeeping) {
    this.stream = stream;
    this.world = world;
    this.bookkeeping = bookkeeping;
  }

  /** Does what is to be done now; returns whether there was anything. */
  final boolean work() {
    boolean worked = false;
    while (stream.unseenRequests() > 0) {
      Request request = stream.request();
      TestType type =
          TestType.all().stream()
              .filter(known -> known.typeUrl().equals(request.typeUrl()))
              .findFirst()
              .orElseThrow();
      heard(type, request);
      worked = true;
    }
    for (TestType type : TestType.all()) {
      // One at a time, so that it is known what each answer means.
      ResponseBuilder response = isAnswered(type) ? next(type) : null;
      if (response != null) {
        String nonce = "n" + ++nonces;
        unanswered.computeIfAbsent(type, t -> new HashSet<>()).add(nonce);
        sent(type, nonce);
        stream.deliver(response.nonce(nonce).build(stream.protocol));
        worked = true;
      }
    }
    return worked;
  }

  abstract void heard(TestType type, Request request);

  /** What is to be sent now, if anything. */
  abstract @Nullable ResponseBuilder next(TestType type);

  abstract void sent(TestType type, String nonce);

  boolean isAnswered(TestType type) {
    return unanswered.getOrDefault(type, Set.of()).isEmpty();
  }

  /** Whether this is the first answer to a response. */
  boolean answers(TestType type, String nonce) {
    return unanswered.computeIfAbsent(type, t -> new HashSet<>()).remove(nonce);
  }

  static void add(ResponseBuilder response, String name, Fact fact) {
    if (fact instanceof Served served) {
      response.resource(name, served.text());
    } else if (fact instanceof Denied denied) {
      response.error(name, denied.code(), "denied");
    }
  }
}
