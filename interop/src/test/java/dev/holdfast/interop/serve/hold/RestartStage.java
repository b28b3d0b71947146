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
 * many messages of an incident, when the next one is there already, but nobody has got it yet.
 * Plays one {@link Incident} after the other.
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

  RestartStage(Path root, boolean delta) throws Exception {
    this.delta = delta;
    plane = new PlaneProcess(root);
    plane.write(FILE, next().before());
    plane.up();
    relay = new Relay(plane::xdsPort);
    envoy = startEnvoy();
    http = envoy.http("ingress_http");
  }

  private EnvoyProcess startEnvoy() {
    return EnvoyProcess.start(
        delta ? EnvoyBootstrap.delta(relay.port()) : EnvoyBootstrap.sotw(relay.port()));
  }

  private Incident next() {
    return new Incident(rounds, one.port(), two.port());
  }

  /** What was said in an incident, and what came of it. */
  record Played(List<Message> messages, Ending ending) {}

  /** Plays an incident in which the server does not end. */
  Played play() throws Exception {
    Incident incident = begin();
    try (Load load = load(incident)) {
      relay.allow(Integer.MAX_VALUE);
      plane.write(FILE, incident.after());
      Plane.await("an end", () -> isOver(incident));
      assertThat(relay.mostSendingsOfRefused()).as("sendings of what is refused").isOne();
      check(load);
      return new Played(relay.passed(), ending(incident));
    }
  }

  /**
   * Plays an incident, and ends the server.
   *
   * @param step after how many messages
   * @param cold whether Envoy ends with it, and another one starts
   */
  Played play(int step, String signal, boolean cold, Ending expected) throws Exception {
    Incident incident = begin();
    List<Message> messages;
    try (Load load = load(incident)) {
      relay.allow(step);
      plane.write(FILE, incident.after());
      Plane.await("the step", () -> relay.isHolding() || isOver(incident));
      messages = relay.passed();
      plane.end(signal);
      relay.cut();
      if (!cold) {
        plane.up();
        awaitEnding(incident, expected);
      }
      check(load);
    }
    if (cold) {
      envoy.close();
      plane.up();
      envoy = startEnvoy();
      http = envoy.http("ingress_http");
      try (Load load = load(incident)) { // never less than was good before
        awaitEnding(incident, expected);
        check(load);
      }
    }
    assertThat(relay.mostSendingsOfRefused())
        .as("sendings of what is refused")
        .isLessThanOrEqualTo(2);
    return new Played(messages, ending(incident));
  }

  /** What authors have before is served. */
  private Incident begin() throws Exception {
    Incident incident = next();
    rounds++;
    plane.write(FILE, incident.before());
    Plane.await(
        "all is programmed",
        () ->
            plane.objects().values().stream()
                    .allMatch(
                        object -> PlaneProcess.programmed(object).equals("True/Programmed"))
                && incident.ofAnyRound(plane.objects().firstKey()).equals("EndpointSlice/s-" + one.port()));
    return incident;
  }

  private Load load(Incident incident) {
    return new Load(http.port(), incident.served());
  }

  private static void check(Load load) {
    assertThat(load.failures()).isEmpty();
    assertThat(load.requests()).isPositive();
  }

  private Ending ending(Incident incident) throws Exception {
    return Ending.of(incident, plane, http);
  }

  /** Whether the incident is seen and over. */
  private boolean isOver(Incident incident) throws Exception {
    Ending now = ending(incident);
    return now.isFinal() && !now.held().isEmpty();
  }

  private void awaitEnding(Incident incident, Ending expected) {
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
