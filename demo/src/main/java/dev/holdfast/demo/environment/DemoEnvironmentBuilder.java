// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

import dev.holdfast.demo.controlplane.ControlPlaneProcess;
import dev.holdfast.demo.process.EnvoyProgram;
import dev.holdfast.demo.process.FreePorts;
import dev.holdfast.demo.report.Narrator;
import dev.holdfast.demo.shop.EditRound;
import dev.holdfast.demo.shop.ShopObjects;
import dev.holdfast.demo.shop.Team;
import dev.holdfast.demo.traffic.Backend;
import dev.holdfast.demo.traffic.Caller;
import dev.holdfast.demo.traffic.ClientEvents;
import dev.holdfast.demo.traffic.LoadGenerator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Starts everything, and returns when every client is served and every object is in force. */
public final class DemoEnvironmentBuilder {
  /** What backends are called. At first everything goes to the first. */
  public static final List<String> BACKENDS = List.of("v1", "v2", "v3");

  private final DemoSettings settings;
  private final Narrator narrator;
  private final DemoClock clock;
  private final CloseableGroup closeables;

  public DemoEnvironmentBuilder(DemoSettings settings, Narrator narrator) throws IOException {
    this.settings = settings;
    this.narrator = narrator;
    clock = new DemoClock(settings.time());
    closeables = CloseableGroup.create(clock);
  }

  /** What is to be closed whatever happens; complete at any time. */
  public CloseableGroup closeables() {
    return closeables;
  }

  /**
   * @throws IOException if something cannot be started
   */
  public DemoEnvironment build() throws IOException {
    Optional<EnvoyProgram> envoy = findEnvoy();
    narrator.starts(
        "three backends, a control plane, a gRPC client"
            + envoy.map(found -> ", Envoy " + found.version()).orElse(""));
    FreePorts ports = new FreePorts(new SplittableRandom(clock.nanos()));
    int httpPort = ports.next();
    write(envoy.isPresent());
    ControlPlaneProcess controlPlane = controlPlane(ports, httpPort);
    if (envoy.isPresent()) {
      startEnvoy(envoy.get(), controlPlane);
    }
    ClientEvents events = new ClientEvents();
    Map<String, LoadGenerator> loads = new LinkedHashMap<>();
    loads.put(
        DemoEnvironment.PROXYLESS,
        load(
            "proxyless",
            Clients.proxyless(controlPlane.xdsPort(), ShopObjects.HOST, Clients.NODE, events)));
    if (envoy.isPresent()) {
      await("Envoy listens on port " + httpPort, () -> isOpen(httpPort));
      loads.put(DemoEnvironment.THROUGH_ENVOY, load("envoy", Clients.throughEnvoy(httpPort)));
    }
    await(
        "every route is live",
        () ->
            controlPlane.admin().objects().stream()
                .filter(object -> !object.reason().equals("NotReferenced"))
                .allMatch(object -> object.isProgrammed()));
    loads.values().forEach(LoadGenerator::start);
    return new DemoEnvironment(
        clock,
        closeables,
        controlPlane,
        events,
        loads,
        envoy.map(EnvoyProgram::version).orElse(""),
        envoy.map(EnvoyProgram::path).orElse(""));
  }

  private Optional<EnvoyProgram> findEnvoy() throws IOException {
    return switch (settings.envoy()) {
      case NEVER -> Optional.empty();
      case IF_FOUND -> EnvoyProgram.find(closeables.workspace());
      case FETCH -> {
        narrator.starts("Envoy, which is downloaded if it is not installed");
        yield Optional.of(EnvoyProgram.fetch(closeables.workspace()));
      }
    };
  }

  private void write(boolean scripts) throws IOException {
    StringBuilder services = new StringBuilder();
    for (String name : BACKENDS) {
      Backend backend = Backend.start(name);
      closeables.add(backend::close);
      services.append(ShopObjects.backend(name, backend.port())).append("---\n");
    }
    closeables.workspace().save("backends.yaml", services.toString());
    closeables.workspace().save("shop.yaml", ShopObjects.root());
    closeables.workspace().save(EditRound.ROUTES.first());
    if (scripts) {
      closeables.workspace().save(EditRound.SCRIPTS.first());
    }
  }

  private ControlPlaneProcess controlPlane(FreePorts ports, int httpPort) throws IOException {
    ControlPlaneProcess controlPlane =
        new ControlPlaneProcess(
            settings.serve(), closeables.children(), closeables.workspace(), ports, httpPort);
    controlPlane.start();
    long start = clock.nanos();
    while (!controlPlane.isReady()) {
      if (clock.since(start).compareTo(DemoClock.PATIENCE) > 0) {
        throw new IOException("the control plane was not ready within " + DemoClock.PATIENCE);
      }
      clock.pause(Duration.ofMillis(10));
    }
    return controlPlane;
  }

  private void startEnvoy(EnvoyProgram envoy, ControlPlaneProcess controlPlane) throws IOException {
    Path bootstrap = closeables.workspace().file("envoy.yaml");
    Files.writeString(
        bootstrap, settings.bootstrap().yaml(Clients.ENVOY_NODE, controlPlane.xdsPort()));
    closeables
        .children()
        .start(
            List.of(
                envoy.path(),
                "-c",
                bootstrap.toString(),
                "--concurrency",
                "1",
                "--disable-hot-restart",
                "-l",
                "warn"),
            closeables.workspace().file("envoy.log"));
  }

  /** A client that has had an answer from every service; it does not begin to count yet. */
  private LoadGenerator load(String name, Caller caller) throws IOException {
    LoadGenerator load = new LoadGenerator(name, caller, Team.services());
    closeables.add(load::close);
    for (String service : Team.services()) {
      await(service + " answers", () -> answers(caller, service));
    }
    return load;
  }

  private static boolean answers(Caller caller, String service) throws IOException {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    caller.call(service, (status, answer) -> answered.complete(status.isOk()));
    try {
      return answered.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  private static boolean isOpen(int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    }
  }

  private void await(String what, DemoClock.Condition condition) throws IOException {
    if (!clock.await(condition)) {
      throw new IOException("timed out waiting for: " + what);
    }
  }
}
