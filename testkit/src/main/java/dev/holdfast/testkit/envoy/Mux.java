// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All subscriptions of a proxy on one ADS stream. A type can be paused, which holds its requests
 * back but not its responses.
 */
abstract class Mux {
  private static final int MAX_ERROR = 4096;
  private static final int INTERNAL = 13;

  final EnvoyContext world;
  final Decoder decoder;
  private final Node node;
  private final Map<String, Integer> pauses = new HashMap<>();
  private boolean introduced;

  Mux(EnvoyContext world, Decoder decoder, Node node) {
    this.world = world;
    this.decoder = decoder;
    this.node = node;
  }

  /** Whether it says in every request who it is. */
  boolean isTalkative(Node self) {
    return false;
  }

  /** Starts to be interested; the timeout is how long to wait for a first answer. */
  final void subscribe(Subscription subscription, Duration timeout) {
    subscription.waitFor(timeout, world);
    add(subscription);
  }

  final void unsubscribe(Subscription subscription) {
    subscription.stopTimer();
    remove(subscription);
  }

  /** Holds requests of some types back until the result is closed. */
  final Pause pause(String... types) {
    Arrays.stream(types).forEach(type -> pauses.merge(type, 1, Integer::sum));
    return () -> {
      for (String type : types) {
        if (pauses.merge(type, -1, Integer::sum) == 0) {
          resumed(type);
        }
      }
    };
  }

  /** Does something while requests of some types are held back. */
  final void whilePaused(Runnable task, String... types) {
    Pause pause = pause(types);
    try {
      task.run();
    } finally {
      pause.close();
    }
  }

  final boolean isPaused(String type) {
    return pauses.getOrDefault(type, 0) > 0;
  }

  /** There is a new stream. */
  final void connected() {
    introduced = false;
    reconnected();
  }

  /** The node, for the first request of a stream; later ones go without. */
  final Node introduce() {
    boolean first = !introduced || isTalkative(node);
    introduced = true;
    return first ? node : Node.getDefaultInstance();
  }

  /** Takes a response and sees to its answer. */
  abstract Verdict receive(Message response);

  abstract void add(Subscription subscription);

  abstract void remove(Subscription subscription);

  abstract void resumed(String type);

  abstract void reconnected();

  static Status error(String text) {
    return Status.newBuilder()
        .setCode(INTERNAL)
        .setMessage(
            text.length() > MAX_ERROR ? text.substring(0, MAX_ERROR) + "...(truncated)" : text)
        .build();
  }

  /** A type that is held back. */
  interface Pause {
    void close();
  }

  /**
   * What came of a response.
   *
   * @param kind taken, rejected or dropped
   * @param reason why it was rejected
   */
  record Verdict(Kind kind, String reason) {
    enum Kind {
      TAKEN,
      REJECTED,
      /** Nobody is interested in its type: no answer. */
      DROPPED
    }

    static final Verdict OK = new Verdict(Kind.TAKEN, "");
    static final Verdict DROPPED = new Verdict(Kind.DROPPED, "");

    static Verdict rejected(String reason) {
      return new Verdict(Kind.REJECTED, reason);
    }
  }

  /** Those of a list that a set of names asks for. */
  static List<DecodedResource> named(List<DecodedResource> all, Set<String> names) {
    return all.stream().filter(taken -> names.contains(taken.name())).toList();
  }
}
