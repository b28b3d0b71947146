// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.PlaneProcess;
import dev.holdfast.interop.serve.relay.Message;
import dev.holdfast.interop.serve.relay.Relay;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A control plane, an Envoy, and a {@link Relay} between them that says when the one ends: after so
 * many messages of an {@link Incident}, when the next one is there already, but nobody has got it.
 * So the server has done all that it does about the last one. Plays any number of incidents.
 */
final class RestartStage implements AutoCloseable {
  private static final String FILE = "objects.yaml";

  private final boolean delta;
  private final Backend one = Backend.start("one");
  private final Backend two = Backend.start("two");
  private final PlaneProcess plane;
  private final Relay relay;
  private EnvoyProcess envoy;
  private Http http;
  private int rounds;
  private String lastMessage = "";
  private final int steps;
  private final Ending expected;

  RestartStage(Path root, boolean delta) throws Exception {
    this.delta = delta;
    plane = new PlaneProcess(root);
    relay = new Relay(plane::xdsPort);
    envoy = startEnvoy();
    try {
      plane.write(FILE, incident().before());
      plane.up();
      http = envoy.http("ingress_http");
      Incident incident = begin();
      try (Load load = load(incident)) {
        happen(incident, Integer.MAX_VALUE);
        check(load);
      }
      assertThat(relay.sendingsOfRefused()).isNotEmpty().containsOnly(1);
      steps = relay.passed().size();
      Plane.await(
          "clients see it", () -> ending(incident).answers().equals(Incident.answersAfter()));
      expected = ending(incident);
    } catch (Exception | Error e) {
      close();
      throw e;
    }
  }

  private EnvoyProcess startEnvoy() {
    return EnvoyProcess.start(
        delta ? EnvoyBootstrap.delta(relay.port()) : EnvoyBootstrap.sotw(relay.port()));
  }

  /** How many messages there are in an incident in which the server does not end. */
  int steps() {
    return steps;
  }

  /** What comes of it. */
  Ending expected() {
    return expected;
  }

  /** The one after which the server ended. */
  String lastMessage() {
    return lastMessage;
  }

  /**
   * Plays an incident in which the server ends.
   *
   * @param step after how many messages
   * @param cold whether Envoy ends with it, and another one starts
   */
  void play(int step, String signal, boolean cold) throws Exception {
    Incident incident = begin();
    try (Load load = load(incident)) {
      happen(incident, step);
      plane.end(signal);
      relay.cut();
      if (!cold) {
        plane.up();
        awaitEnding(incident);
      }
      check(load);
    }
    if (cold) {
      envoy.close();
      plane.up();
      envoy = startEnvoy();
      http = envoy.http("ingress_http");
      try (Load load = load(incident)) { // never less than was good before
        awaitEnding(incident);
        check(load);
      }
    }
    assertThat(relay.sentAgain()).as("sent although it was heard to be refused").isEmpty();
    assertThat(relay.sendingsOfRefused()) // one may have been refused that nobody heard of
        .isNotEmpty()
        .allMatch(times -> times <= 2);
  }

  private Incident incident() {
    return new Incident(rounds, one.port(), two.port());
  }

  /** What authors have before is served. */
  private Incident begin() throws Exception {
    rounds++;
    Incident incident = incident();
    plane.write(FILE, incident.before());
    Plane.await( // Envoy takes routes before its workers do
        "what there is before is served",
        () -> {
          Ending now = ending(incident);
          return now.said().values().stream()
                  .allMatch(words -> words.startsWith("True/Programmed 1/1"))
              && now.answers().equals(Incident.answersBefore());
        });
    return incident;
  }

  /** Lets it happen until so many messages went through, or it is over. */
  private void happen(Incident incident, int messages) {
    relay.allow(messages);
    plane.write(FILE, incident.after());
    Plane.await(
        messages + " messages or an end", () -> relay.isHolding() || ending(incident).isFinal());
    List<Message> passed = relay.passed();
    lastMessage = passed.isEmpty() ? "none" : passed.get(passed.size() - 1).toString();
  }

  private Load load(Incident incident) {
    return new Load(http.port(), incident.served());
  }

  private static void check(Load load) {
    Plane.await("requests", () -> load.requests() > 0);
    assertThat(load.failures()).as("requests that failed").isEmpty();
  }

  private Ending ending(Incident incident) throws Exception {
    return Ending.of(incident, plane, http);
  }

  private void awaitEnding(Incident incident) {
    AtomicReference<Ending> last = new AtomicReference<>();
    try {
      Plane.await(
          "the same ending",
          () -> {
            last.set(ending(incident));
            return expected.equals(last.get());
          });
    } catch (ConditionTimeoutException e) {
      assertThat(last.get()).isEqualTo(expected);
    }
  }

  @Override
  public void close() {
    envoy.close();
    relay.close();
    plane.close();
    one.close();
    two.close();
  }
}
