// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.scouts;

import dev.holdfast.controlplane.ads.view.ScoutSettings;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.server.envoy.BootstrapTemplate;
import dev.holdfast.server.envoy.EnvoyBootstrap;
import dev.holdfast.server.envoy.EnvoyProgram;
import dev.holdfast.server.envoy.LocalEnvoy;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ScoutFinding;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.probe.Sink;
import dev.holdfast.server.xds.ScoutDoor;
import io.grpc.BindableService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The scouts of a server: Envoys on this machine that connect to it as others do, a sink in the
 * place of all backends, and requests that go through the one to the other. All of it ends with the
 * server.
 */
public final class LocalScouts implements AutoCloseable {
  private static final String NODE = "holdfast-scout-";

  /** Longer than the control plane waits for its answer, which tells more. */
  private static final Duration HANGS_AFTER = Duration.ofSeconds(6);

  /** Far longer than a proxy is busy with a change, however many hosts it has. */
  private static final Duration SPINS_AFTER = Duration.ofSeconds(2);

  private static final int MEGABYTES = 2_048;

  /** The proxies of this machine come first, and so does this server. */
  private static final int NICENESS = 5;

  private final List<EnvoyProgram> programs;
  private final BootstrapTemplate template;
  private final Sink sink;
  private final ScoutDoor door = new ScoutDoor();
  private final ExecutorService prober;
  private final ScoutProbe probe;
  private volatile Map<String, LocalEnvoy> envoys = Map.of();

  private LocalScouts(
      List<EnvoyProgram> programs,
      BootstrapTemplate template,
      Sink sink,
      Set<ScoutFinding> holding) {
    this.programs = programs;
    this.template = template;
    this.sink = sink;
    this.prober =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "holdfast-probes");
              thread.setDaemon(true);
              return thread;
            });
    ScoutProber requests =
        new ScoutProber(this::envoy, sink.marker(), prober, holding, ScoutProber.IN_USE);
    requests.warmUp(address(sink));
    this.probe = requests;
  }

  /**
   * Prepares scouts, if the options want some.
   *
   * @param environment where programs are looked for that are not named
   * @return null if none are wanted
   * @throws StartException if there is no program
   */
  public static @Nullable LocalScouts prepare(ServeOptions options, Map<String, String> environment)
      throws StartException {
    if (!options.scouts().isWanted()) {
      return null;
    }
    List<EnvoyProgram> programs = EnvoyProgram.find(options.scouts().programs(), environment);
    if (programs.isEmpty()) {
      throw new StartException(
          "scouts: no Envoy (expected: --scout-envoy PATH, ENVOY, or an envoy on the PATH)");
    }
    Path bootstrap = options.scouts().bootstrap();
    BootstrapTemplate template =
        bootstrap == null ? BootstrapTemplate.NONE : BootstrapTemplate.read(bootstrap);
    try {
      return new LocalScouts(programs, template, Sink.open(), options.scouts().holding());
    } catch (IOException e) {
      throw new StartException("scouts: no port for what stands in for backends: " + e, e);
    }
  }

  /** Where their clusters lead. */
  public ScoutSettings settings() {
    return new ScoutSettings(address(sink));
  }

  private static InetSocketAddress address(Sink sink) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), sink.port());
  }

  /** Sends requests through them. */
  public ScoutProbe probe() {
    return probe;
  }

  private @Nullable LocalEnvoy envoy(String node) {
    int number = node.indexOf('#'); // a process that started before its predecessor was gone
    return envoys.get(number < 0 ? node : node.substring(0, number));
  }

  /**
   * Starts them.
   *
   * @param services what the server serves to proxies
   * @param largestRequest that it takes, in bytes
   * @throws StartException if there is no place for their files, or no port
   */
  public void start(List<BindableService> services, int largestRequest) throws StartException {
    ListenAddress server = door.open(services, largestRequest);
    SortedMap<String, LocalEnvoy> started = new TreeMap<>();
    for (EnvoyProgram program : programs) {
      String node = NODE + (started.size() + 1);
      started.put(
          node,
          LocalEnvoy.start(
              program,
              EnvoyBootstrap.of(node, "holdfast-scouts", 0, server)
                  .withMetadata(metadata())
                  .withToken(door.token())
                  .withTemplate(template),
              new LocalEnvoy.Settings(HANGS_AFTER, SPINS_AFTER, MEGABYTES, NICENESS)));
      envoys = Map.copyOf(started);
    }
  }

  private Map<String, String> metadata() {
    return template.group().isEmpty()
        ? Map.of("holdfast_role", "scout")
        : Map.of("holdfast_role", "scout", "holdfast_group", template.group());
  }

  /** For people: {@code scouts envoy 1.36.4 and envoy 1.39.0}. */
  public String describe() {
    List<String> names = new ArrayList<>();
    programs.forEach(program -> names.add(program.toString()));
    return (names.size() == 1 ? "scout " : "scouts ") + String.join(" and ", names);
  }

  @Override
  public void close() {
    envoys.values().forEach(LocalEnvoy::close);
    door.close();
    prober.shutdownNow();
    sink.close();
  }
}
