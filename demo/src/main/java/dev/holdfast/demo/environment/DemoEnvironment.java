// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

import dev.holdfast.demo.controlplane.ControlPlaneProcess;
import dev.holdfast.demo.report.DemoSetup;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.Team;
import dev.holdfast.demo.traffic.CallCounts;
import dev.holdfast.demo.traffic.CallResult;
import dev.holdfast.demo.traffic.Caller;
import dev.holdfast.demo.traffic.ClientEvents;
import dev.holdfast.demo.traffic.LoadGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Backends, a control plane, clients, and perhaps an Envoy: what runs, and how to look at it. May
 * be closed from any thread, more than once, and while it is being built.
 */
public final class DemoEnvironment implements AutoCloseable {
  /** The client that asks the control plane itself, as it is called. */
  public static final String PROXYLESS = "gRPC client";

  /** The client behind an Envoy. */
  public static final String THROUGH_ENVOY = "through Envoy";

  private final DemoClock clock;
  private final CloseableGroup closeables;
  private final ControlPlaneProcess controlPlane;
  private final ClientEvents events;
  private final Map<String, LoadGenerator> loads;
  private final String envoy;
  private final String envoyProgram;

  DemoEnvironment(
      DemoClock clock,
      CloseableGroup closeables,
      ControlPlaneProcess controlPlane,
      ClientEvents events,
      Map<String, LoadGenerator> loads,
      String envoy,
      String envoyProgram) {
    this.clock = clock;
    this.closeables = closeables;
    this.controlPlane = controlPlane;
    this.events = events;
    this.loads = new LinkedHashMap<>(loads);
    this.envoy = envoy;
    this.envoyProgram = envoyProgram;
  }

  public DemoClock clock() {
    return clock;
  }

  public ControlPlaneProcess controlPlane() {
    return controlPlane;
  }

  /** What the client that asks the control plane itself went through. */
  public ClientEvents events() {
    return events;
  }

  public boolean hasEnvoy() {
    return loads.containsKey(THROUGH_ENVOY);
  }

  /** The path of Envoy, if there is one. */
  public String envoyProgram() {
    return envoyProgram;
  }

  /** The edits for the proxies that take part. */
  public EditRound round() {
    return hasEnvoy() ? EditRound.SCRIPTS : EditRound.ROUTES;
  }

  public DemoSetup setup() {
    return new DemoSetup(
        controlPlane.pid(),
        controlPlane.xdsPort(),
        controlPlane.admin().address(),
        closeables.workspace().objects().toString(),
        envoy);
  }

  /** Saves a file of a team. */
  public void save(String file, String text) throws IOException {
    closeables.workspace().save(file, text);
  }

  /** Saves files of several teams at the same time. */
  public void save(Map<String, String> files) throws IOException {
    closeables.workspace().save(files);
  }

  /** The calls of each client so far. */
  public Map<String, CallCounts> traffic() {
    Map<String, CallCounts> traffic = new LinkedHashMap<>();
    loads.forEach((name, load) -> traffic.put(name, load.counts()));
    return traffic;
  }

  /** Whether the last answer of every client to calls of a team was from this backend. */
  public boolean isAnsweredBy(Team team, String backend) {
    return loads.values().stream()
        .map(load -> load.last(team.service()))
        .allMatch(answer -> answer != null && answer.backend().equals(backend));
  }

  /** What there is to see of a round in the last answer to calls of a team. */
  public String seen(Team team) {
    LoadGenerator load = Objects.requireNonNull(loads.get(hasEnvoy() ? THROUGH_ENVOY : PROXYLESS));
    CallResult answer = load.last(team.service());
    return answer == null ? "" : round().seen(answer);
  }

  /** Another client without a proxy, for another host. */
  public Caller stranger(String host, ClientEvents observed) {
    return Clients.proxyless(controlPlane.xdsPort(), host, Clients.NODE + "-2", observed);
  }

  /** What may explain a failure. */
  public List<String> diagnostics() {
    List<String> diagnostics = new ArrayList<>();
    loads.forEach(
        (name, load) -> {
          String failure = load.firstFailure();
          if (failure != null) {
            diagnostics.add(name + ": first failed call: " + failure);
          }
        });
    controlPlane.lastLines().forEach(line -> diagnostics.add("control plane: " + line));
    return diagnostics;
  }

  @Override
  public void close() {
    closeables.close();
  }
}
